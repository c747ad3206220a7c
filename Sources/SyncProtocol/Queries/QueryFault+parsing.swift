import ChangeRules

extension QueryFault {
    static func brokenParameter(_ text: String) -> QueryFault {
        QueryFault(
            .parameterIllegal, at: "", "'\(text)' cannot be read",
            help: "write NAME=VALUE, in UTF-8, with every byte other than letters and digits as "
                + "'%' and two hex digits")
    }

    static func unknownParameter(_ name: String, known: [String]) -> QueryFault {
        QueryFault(
            .parameterUnknown, at: name, "the parameter '\(name)' is unknown",
            help: "the parameters are \(quotedList(known))")
    }

    static func repeatedParameter(_ name: String) -> QueryFault {
        QueryFault(
            .parameterIllegal, at: name, "the parameter '\(name)' comes twice",
            help: "send it once")
    }

    static func illegalParameter(_ name: String, _ value: String, help: String) -> QueryFault {
        QueryFault(.parameterIllegal, at: name, "the \(name) is '\(value)'", help: help)
    }

    static func unreadableFilter(_ why: String) -> QueryFault {
        QueryFault(.filterIllegal, at: "filter", "the filter is not JSON", help: why)
    }

    static func noCondition(at path: String) -> QueryFault {
        QueryFault(
            .filterIllegal, at: path, "'\(path)' is not a condition",
            help: #"write an object with one operator, such as {"eq": ["title", "Solaris"]}"#)
    }

    static func unknownOperator(_ name: String, known: [String], at path: String) -> QueryFault {
        QueryFault(
            .filterIllegal, at: path, "there is no operator '\(name)'",
            help: "the operators are \(quotedList(known))")
    }

    static func wrongArguments(at path: String, help: String) -> QueryFault {
        QueryFault(
            .filterIllegal, at: path, "'\(path)' is not what its operator takes", help: help)
    }
}

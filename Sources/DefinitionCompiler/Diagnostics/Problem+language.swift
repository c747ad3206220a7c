import DefinitionModel

/// Messages about the structure of an application: its elements and attributes.
extension Problem {
    static func wrongRoot(_ name: String, at range: Range<Int>) -> Problem {
        .error(
            "the root element is \(quoted(name))", at: range,
            help: "the root element of a definition is 'application'")
    }

    static func wrongNamespace(
        _ namespace: String, expected: String, at range: Range<Int>
    ) -> Problem {
        .error(
            "the namespace \(quoted(namespace)) is not that of definitions", at: range,
            help: nearest(to: namespace, in: [expected]) == nil
                ? "write \(quoted(expected)), or leave 'xmlns' out"
                : "did you mean \(quoted(expected))? 'xmlns' can also be left out")
    }

    static func foreignElement(
        _ name: String, namespace: String?, at range: Range<Int>
    ) -> Problem {
        .error(
            "\(quoted(name)) is in the namespace \(quoted(namespace ?? "")), "
                + "which is not expected here", at: range,
            help: "remove it")
    }

    static func unknownElement(
        _ name: String, in parent: String, known: [String], at range: Range<Int>
    ) -> Problem {
        .error(
            "\(quoted(parent)) has no element \(quoted(name))", at: range,
            help: known.isEmpty
                ? "\(quoted(parent)) holds no elements; remove it"
                : suggestion(name, known, else: "it may hold \(alternatives(known))"))
    }

    static func unknownAttribute(
        _ name: String, of schema: ElementSchema, at range: Range<Int>
    ) -> Problem {
        .error(
            "\(quoted(schema.name)) has no attribute \(quoted(name))", at: range,
            help: help(onUnknownAttribute: name, of: schema))
    }

    private static func help(onUnknownAttribute name: String, of schema: ElementSchema) -> String {
        if schema.ownAttributes.contains(name) {
            return "it is one of Waggle's own: write 'w:\(name)', and "
                + "'xmlns:w=\"\(ownNamespace)\"' in 'application'"
        }
        if schema.name == "field", FieldTypeName.allOptions.contains(name) {
            return optionHelp(name)
        }
        if schema.name == "credential", ["deleteAllowed", "resolveConflictAllowed"].contains(name) {
            return "a field has no such right; write it in the model's credential"
        }
        return suggestion(
            name, schema.attributes, else: "it may have \(alternatives(schema.attributes))")
    }

    static func unknownOwnAttribute(
        _ name: String, of element: String, known: [String], at range: Range<Int>
    ) -> Problem {
        .error(
            "\(quoted(element)) has no Waggle attribute \(quoted(name))", at: range,
            help: help(onUnknownOwnAttribute: name, of: element, known: known))
    }

    private static func help(
        onUnknownOwnAttribute name: String, of element: String, known: [String]
    ) -> String {
        guard !known.isEmpty else { return "remove it" }
        return element == "field" && FieldTypeName.allOptions.contains(name)
            ? optionHelp(name)
            : suggestion(name, known, else: "it may have \(alternatives(known))")
    }

    /// For an option that is written as an attribute.
    private static func optionHelp(_ name: String) -> String {
        "it is an option: write '<options><option name=\"\(name)\">…</option></options>' in "
            + "'field'"
    }

    static func foreignAttribute(
        _ name: String, namespace: String, at range: Range<Int>
    ) -> Problem {
        .error(
            "the attribute \(quoted(name)) is in the namespace \(quoted(namespace)), "
                + "which is not expected here",
            at: range,
            help: nearest(to: namespace, in: [ownNamespace]).map {
                "did you mean the namespace \(quoted($0))?"
            } ?? "remove it, or its prefix")
    }

    static func duplicateSection(
        _ name: String, at range: Range<Int>, first: Range<Int>
    ) -> Problem {
        .error(
            "there are two \(quoted(name)) sections", at: range, help: "merge them",
            related: [RelatedRange(range: first, message: "the first one is here")])
    }

    static func missingAttribute(
        _ name: String, of element: String, at range: Range<Int>
    ) -> Problem {
        .error(
            "\(quoted(element)) has no \(quoted(name))", at: range,
            help: "write '\(name)=\"…\"'")
    }

    static func unexpectedText(in element: String, at range: Range<Int>) -> Problem {
        .error(
            "\(quoted(element)) holds no text", at: range,
            help: "remove it, or make it a comment: '<!-- … -->'")
    }

    /// `meant` is the known value that corresponds to a word of another language.
    static func unknownValue(
        _ value: String, of attribute: String, known: [String], meant: String? = nil,
        at range: Range<Int>
    ) -> Problem {
        let help =
            if value == ConflictMode.merge.rawValue {
                "it is one of Waggle's own modes: write 'w:conflictMode' for it"
            } else if let meant {
                "did you mean \(quoted(meant))?"
            } else {
                suggestion(value, known, else: "write \(alternatives(known))")
            }
        return .error(
            "\(quoted(attribute)) cannot be \(quoted(value))", at: range, help: help)
    }
}

/// Messages about names and references.
extension Problem {
    static func illegalName(_ name: String, of kind: NameKind, at range: Range<Int>) -> Problem {
        .error(
            name.isEmpty
                ? "the name of the \(kind.rawValue) is empty"
                : "\(quoted(name)) cannot be the name of the \(kind.rawValue)", at: range,
            help: "use ASCII letters, digits and '_', and begin with a letter or '_'")
    }

    static func nameTooLong(
        _ name: String, of kind: NameKind, limit: Int, at range: Range<Int>
    ) -> Problem {
        .error(
            "the name of the \(kind.rawValue) has \(name.utf8.count) characters, more than the "
                + "limit of \(limit)", at: range,
            help: "choose a shorter one")
    }

    static func reservedName(_ name: String, at range: Range<Int>) -> Problem {
        .error(
            "no field can be named \(quoted(name)): every record has its own \(quoted(name))",
            at: range, help: "choose another name")
    }

    static func duplicateName(
        _ name: String, of kind: NameKind, at range: Range<Int>, first: Range<Int>
    ) -> Problem {
        .error(
            "there is already a \(kind.rawValue) named \(quoted(name))", at: range,
            help: "rename or remove one of them",
            related: [RelatedRange(range: first, message: "the first one is here")])
    }

    /// A warning only: the wire distinguishes the two names, and an original definition may have
    /// both.
    static func namesDifferInCase(
        _ name: String, _ other: String, of kind: NameKind, at range: Range<Int>,
        first: Range<Int>
    ) -> Problem {
        .warning(
            "the \(kind.rawValue) \(quoted(name)) differs from \(quoted(other)) in upper and "
                + "lower case only", at: range,
            help: "rename one: to SQL and to some file systems they are the same",
            related: [RelatedRange(range: first, message: "the other one is here")])
    }

    static func duplicateRole(_ name: String, at range: Range<Int>, first: Range<Int>) -> Problem {
        .error(
            "the role \(quoted(name)) is declared twice", at: range, help: "remove one of them",
            related: [RelatedRange(range: first, message: "the first one is here")])
    }

    static func duplicateCredential(
        _ role: String, at range: Range<Int>, first: Range<Int>?
    ) -> Problem {
        .error(
            "there is already a credential for \(quoted(role))", at: range,
            help: "merge the rights of the role into one credential",
            related: first.map { [RelatedRange(range: $0, message: "the first one is here")] }
                ?? [])
    }

    static func unknownGroup(_ name: String, known: [String], at range: Range<Int>) -> Problem {
        .unknown("group", name, known: known, at: range)
    }

    static func unknownDevice(_ name: String, known: [String], at range: Range<Int>) -> Problem {
        .unknown("device category", name, known: known, at: range)
    }

    static func unknownRole(_ name: String, known: [String], at range: Range<Int>) -> Problem {
        .unknown("role", name, known: known, at: range)
    }

    static func unknownModel(_ name: String, known: [String], at range: Range<Int>) -> Problem {
        .unknown("model", name, known: known, at: range)
    }

    private static func unknown(
        _ kind: String, _ name: String, known: [String], at range: Range<Int>,
        id: StaticString = #function
    ) -> Problem {
        let some = known.prefix(5) + (known.count > 5 ? ["…"] : [])
        return .error(
            "no \(kind) is named \(quoted(name))", at: range,
            help: known.isEmpty
                ? "declare it first: there is no \(kind) yet"
                : suggestion(name, known, else: "known are \(alternatives(Array(some)))"), id: id)
    }

    static func noRoles(at range: Range<Int>) -> Problem {
        .warning(
            "the application has no roles, so nobody can use it", at: range,
            help: "write '<roles><role group=\"…\" device=\"…\"/></roles>'")
    }

    static func noModels(at range: Range<Int>) -> Problem {
        .warning(
            "the application has no models, so there is nothing to store", at: range,
            help: "write '<models><model name=\"…\">…</model></models>'")
    }

    static func emptyModel(_ name: String, at range: Range<Int>) -> Problem {
        .warning(
            "the model \(quoted(name)) has no fields", at: range,
            help: "write '<fields><field name=\"…\" type=\"…\"/></fields>'")
    }
}

private func suggestion(_ name: String, _ known: [String], else rest: String) -> String {
    nearest(to: name, in: known).map { "did you mean \(quoted($0))?" } ?? rest
}

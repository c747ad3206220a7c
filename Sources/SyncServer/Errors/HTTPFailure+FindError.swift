import ChangeRules
import HTTPTypes
import SyncEngine

extension HTTPFailure {
    init(_ error: FindError) {
        switch error {
        case .query(let fault): self.init(fault)
        case .modelUnknown(let name):
            self.init(
                .notFound, "modelUnknown", "the definition has no model '\(name)'",
                help: "correct the address", details: ["model": name])
        case .cursorOfOtherQuery:
            self.init(
                .badRequest, "cursorOfOtherQuery",
                "the cursor is from another query, or from before your rights changed",
                help: "ask the same as before, or without a cursor for the first page")
        case .tooMuchToScan(let max):
            self.init(
                .unprocessableContent, "tooMuchToScan",
                "more than \(max) records, or too much of their text, would have to be scanned",
                help: "name guids, a unique value or a relation's guid in the filter, or ask "
                    + "without 'sort' and 'count'",
                details: ["max": "\(max)"])
        }
    }

    private init(_ fault: QueryFault) {
        self.init(
            .badRequest, fault.code.rawValue, fault.message, help: fault.help,
            details: fault.path.isEmpty ? [:] : [fault.code.placeName: fault.path])
    }
}

extension QueryFault.Code {
    /// The name of the detail that locates the fault; a path is such as `filter.and[1].eq[0]`.
    fileprivate var placeName: String {
        switch self {
        case .parameterUnknown, .parameterIllegal: "parameter"
        case .filterIllegal, .filterTooLarge, .sortIllegal, .fieldsIllegal: "path"
        }
    }
}

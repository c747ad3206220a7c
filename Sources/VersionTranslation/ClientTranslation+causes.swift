package import ChangeRules
import DefinitionModel

extension ClientTranslation {
    /// The outcome of a change of a client's model, in the client's words.
    package func clientOutcome(_ outcome: Outcome, ofModel name: String) -> Outcome {
        var translated = Outcome(
            changeID: outcome.changeID, kind: outcome.kind, model: name, guid: outcome.guid,
            revision: outcome.revision, overwrote: outcome.overwrote,
            causes: outcome.causes.map { clientCause($0, ofModel: name) })
        translated.madeAt = outcome.madeAt
        if !outcome.results.isEmpty {
            translated.results = model(calledByClient: name)?.clientFields(outcome.results) ?? [:]
        }
        return translated
    }

    private func clientCause(_ cause: Cause, ofModel name: String) -> Cause {
        if case .unknownModel = cause.reason {
            return client.model(named: name) == nil ? cause : Cause(.modelNotServed(name))
        }
        guard let model = model(calledByClient: name), let field = cause.fieldName else {
            return cause
        }
        if let known = model.field(servedAs: field) {
            return Cause(
                clientReason(cause.reason), field: known.client.name, place: cause.place)
        }
        if model.unserved.contains(where: { $0.name == field }) {
            return Cause(.fieldNotServed(field), field: field)
        }
        // The client named a field of its own making, or the change lacks one that it cannot know.
        switch cause.reason {
        case .unknownField: return cause
        case .wrongType: return Cause(.unknownField(field), field: field)
        case .empty, .limit, .notFound, .notUnique, .fileNotYours, .notGranted, .unknownModel,
            .change, .recorded:
            return Cause(.versionTooOld, place: cause.place)
        }
    }

    private func clientReason(_ reason: Cause.Reason) -> Cause.Reason {
        guard case .notFound(let guid, let target) = reason else { return reason }
        return .notFound(guid: guid, model: model(servedAs: target)?.client.name ?? target)
    }
}

extension Cause {
    fileprivate var fieldName: String? {
        if case .unknownField(let name) = reason { return name }
        return field
    }
}

extension Cause.Reason {
    fileprivate static func fieldNotServed(_ name: String) -> Cause.Reason {
        .recorded(
            RecordedReason(
                code: "fieldNotServed",
                message: "the deployed version does not have the field '\(name)' of this app, "
                    + "leave it out",
                argument: name))
    }

    fileprivate static func modelNotServed(_ name: String) -> Cause.Reason {
        .recorded(
            RecordedReason(
                code: "modelNotServed",
                message: "the deployed version does not have the model '\(name)' of this app",
                argument: name))
    }

    /// The field at fault is none of the client's, so it is not named.
    fileprivate static let versionTooOld = Cause.Reason.recorded(
        RecordedReason(
            code: "versionTooOld",
            message: "a field that this version of the app does not know stands against it, "
                + "update the app",
            argument: nil))
}

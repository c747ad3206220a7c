import Administration
import ChangeRules
import DefinitionCompiler
import DefinitionModel
import DefinitionReports
import HTTPTypes
import SyncEngine
import SyncServer

/// Errors of versions and deployments.
extension HTTPFailure {
    static func versionUnknown(_ name: String) -> HTTPFailure {
        HTTPFailure(
            .notFound, "versionUnknown", "there is no version '\(name)'",
            help: "look at the list of versions")
    }

    static func versionsFull() -> HTTPFailure {
        HTTPFailure(
            .conflict, "administrationFull", "there are too many versions to import another",
            help: "deploy the definition, which adds its version too")
    }

    static func versionUnusable() -> HTTPFailure {
        HTTPFailure(
            .conflict, "versionUnusable", "this version of waggle does not take the definition",
            help: "correct it, and import it as another version")
    }

    static func tagTaken(_ tag: String, by number: Int64) -> HTTPFailure {
        HTTPFailure(
            .conflict, "tagTaken", "the tag '\(tag)' is that of version \(number)",
            help: "choose another one, or take it from that version",
            details: ["version": "\(number)"])
    }

    static func labelIllegal() -> HTTPFailure {
        HTTPFailure(
            .badRequest, "labelIllegal", "the tag or the note is not acceptable",
            help: "a tag is up to \(AdministrationLimits.tagBytes) visible ASCII characters and no "
                + "number, a note up to \(AdministrationLimits.noteBytes) bytes of text")
    }

    /// With the first error.
    static func definitionFaulty(_ error: Diagnostic?) -> HTTPFailure {
        let place = error.map { "line \($0.place.line), column \($0.place.column): " } ?? ""
        return HTTPFailure(
            .unprocessableContent, "definitionFaulty",
            "the definition has errors: \(place)\(error?.message ?? "")",
            help: error?.help ?? "check it with /admin/v1/check",
            details: error.map { ["diagnostic": $0.id] } ?? [:])
    }

    static func definitionMissing() -> HTTPFailure {
        HTTPFailure(
            .badRequest, "definitionMissing",
            "there is neither a version nor a definition, or both",
            help: "send either 'version' or 'xml'")
    }

    static func environmentNameIllegal(_ name: String) -> HTTPFailure {
        HTTPFailure(
            .badRequest, "environmentNameIllegal",
            "'\(name)' is not a valid name for an environment",
            help: "use letters, digits, '-' and '_'")
    }

    static func environmentExists(_ name: String) -> HTTPFailure {
        HTTPFailure(
            .conflict, "environmentExists", "there is an environment '\(name)' already",
            help: "choose another name, or remove that environment first")
    }

    static func fingerprintStale(_ present: String) -> HTTPFailure {
        HTTPFailure(
            .conflict, "fingerprintStale", "the environment has another definition than expected",
            help: "look at what was deployed meanwhile, and try again",
            details: ["fingerprint": present])
    }

    static func deploymentRisky(_ risks: [DeploymentRisk]) -> HTTPFailure {
        let names = risks.map(\.name)
        return HTTPFailure(
            .conflict, "deploymentRisky",
            "the deployment would hide stored values or break clients: "
                + (risks.first?.messages.first ?? ""),
            help: "look at the dry run, and send the names in 'accepting': "
                + names.prefix(20).joined(separator: ", "),
            details: ["risks": names.prefix(100).joined(separator: " ")])
    }

    static func fillsFaulty(_ faults: [FillFault]) -> HTTPFailure {
        HTTPFailure(
            .unprocessableContent, "fillsFaulty",
            faults.first?.message ?? "the values are not right",
            help: "correct the values of 'fill', and send the deployment again",
            details: faults.first.map { ["model": $0.rule.model, "field": $0.rule.field] } ?? [:])
    }

    static func fillUnreadable() -> HTTPFailure {
        HTTPFailure(
            .unprocessableContent, "fillsFaulty", "a rule of 'fill' does not give one value",
            help: "give each rule one of 'value', 'from' and 'default': true")
    }

    static func tooManyFills() -> HTTPFailure {
        HTTPFailure(
            .unprocessableContent, "fillsFaulty",
            "a deployment has at most \(FillRule.most) rules in 'fill'",
            help: "give the other records their values by an import")
    }

    init(_ refusal: DeploymentRefusal, environment: String) {
        switch refusal {
        case .fillsFaulty(let faults): self = .fillsFaulty(faults)
        case .isCurrent, .overtaken, .recordsChanged:
            self.init(
                .conflict, "deploymentOvertaken", "another definition was deployed just now",
                help: "look at it, and try again")
        case .locked:
            self.init(
                .forbidden, "environmentLocked", "environment '\(environment)' is locked",
                help: "deploy with the token of a deployer, or open the lock")
        case .otherApplication(let vendor, let application):
            self.init(
                .conflict, "otherApplication",
                "the environment belongs to \(vendor)/\(application)",
                help: "deploy to an environment of its own")
        case .instanceInUse:
            self.init(
                .conflict, "instanceInUse", "the environment is in use with another instance",
                help: "leave the instance as it is")
        case .typesClash(let clashes):
            let first = clashes.first
            self.init(
                .conflict, "typesClash", "stored values have another type than their field",
                help: "give a field of another type another name",
                details: first.map { ["model": $0.model, "field": $0.field] } ?? [:])
        case .valuesNotUnique(let fields):
            let first = fields.first
            self.init(
                .conflict, "valuesNotUnique", "records have equal values in a unique field",
                help: "give these records values of their own first, or leave 'unique' out",
                details: first.map { ["model": $0.model, "field": $0.field] } ?? [:])
        }
    }
}

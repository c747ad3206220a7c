import DefinitionModel

/// The rules by which an engine reads. One reference, since engines are copied often.
final class RulesView: Sendable {
    let rules: Rules
    /// Names the rules in cursors.
    let fingerprint: String
    let clients: ClientRules
    /// By model, the fields with a fill rule that clients of this view do not know, or not as
    /// required: what they create gets the value of the rule.
    let fillable: [String: Set<String>]

    init(_ rules: Rules, clients: ClientRules, fillable: [String: Set<String>] = [:]) {
        self.rules = rules
        self.fillable = fillable
        fingerprint = rules.definition.fingerprint
        self.clients = clients
    }
}

import DefinitionModel

/// The rules by which an engine reads. One reference, since engines are copied often.
final class RulesView: Sendable {
    let rules: Rules
    /// Names the rules in cursors.
    let fingerprint: String
    let clients: ClientRules

    init(_ rules: Rules, clients: ClientRules) {
        self.rules = rules
        fingerprint = rules.definition.fingerprint
        self.clients = clients
    }
}

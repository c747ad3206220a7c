package import ChangeRules
package import DefinitionModel

extension FillRule {
    /// The rule in the words of a later version. Names that it does not have stay as they are.
    package func renamed(in later: Definition) -> FillRule {
        let model = laterName(of: model, in: later)
        return FillRule(
            model: model, field: laterName(ofField: field, of: model, in: later),
            source: source.renamed { laterName(ofField: $0, of: model, in: later) })
    }
}

extension FillRule.Source {
    fileprivate func renamed(_ newName: (String) -> String) -> FillRule.Source {
        switch self {
        case .constant, .defaultValue: self
        case .field(let name): .field(newName(name))
        }
    }
}

package import DefinitionModel

/// A reason why a definition cannot replace the current one: the stored values of a field have
/// another type than the field.
///
/// New models and fields never clash. The stored values of removed ones are kept but hidden.
package struct StoredTypeClash: Hashable, Sendable {
    package let model: String
    package let field: String
    /// The names under which the values are stored; they differ from `model` and `field` after a
    /// renaming.
    package let storedModel: String
    package let storedField: String
    package let old: FieldTypeName
    package let new: FieldTypeName
    /// Place of the field in the new definition.
    package let place: SourcePlace
}

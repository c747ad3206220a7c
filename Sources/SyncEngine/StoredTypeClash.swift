package import DefinitionModel

/// Why a definition cannot take the place of another while its records are stored: a field's values
/// would be of another type than the field.
///
/// New models and fields are fine, and those that go keep their stored values unseen.
package struct StoredTypeClash: Hashable, Sendable {
    package let model: String
    package let field: String
    /// The names under which the values are stored; others if model or field are renamed.
    package let storedModel: String
    package let storedField: String
    package let old: FieldTypeName
    package let new: FieldTypeName
    /// Of the field in the new definition.
    package let place: SourcePlace
}

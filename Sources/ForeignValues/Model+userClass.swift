package import DefinitionModel

extension Model {
    /// The class of users of Parse. The model that clients know by this name has their profiles.
    package static let userClass = "_User"
}

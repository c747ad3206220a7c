/// The reason why models or a new package were not written.
package enum ModelFileError: Error, Hashable, Sendable {
    /// Files at the paths of models that were not generated from the application.
    case blocked([String])
    /// A folder that should not exist yet.
    case taken(String)
    case unreadable(String, reason: String)
    case unwritable(String, reason: String)
    case missingTemplate(String, folder: String)
    case unreadableSettings(String, reason: String)
}

extension ModelFileError {
    /// The finding, for users.
    package var message: String {
        switch self {
        case .blocked(let paths):
            "these files were not generated from this application: "
                + paths.map { "'\($0)'" }.joined(separator: ", ")
        case .taken(let path): "there is something in '\(path)' already"
        case .unreadable(let path, let reason): "'\(path)' cannot be read: \(reason)"
        case .unwritable(let path, let reason): "'\(path)' cannot be written: \(reason)"
        case .missingTemplate(let name, let folder):
            "there is no template '\(name)' in '\(folder)'"
        case .unreadableSettings(let path, let reason):
            "'\(path)' holds no settings for models: \(reason)"
        }
    }

    /// The remedy.
    package var help: String {
        switch self {
        case .blocked: "move them away, or choose another folder or prefix"
        case .taken: "choose another name, or move it away; nothing was changed"
        case .unreadable: "name a folder that you may read and write"
        case .unwritable: "name a folder that you may write to, on a disk with room"
        case .missingTemplate:
            "copy it from the folder 'Templates' of waggle, and change the copy"
        case .unreadableSettings:
            #"write {"prefix": "MMD"}, and beside it "templates" with the folder of your own"#
        }
    }

    /// Whether the cause is the input rather than the machine.
    package var isInputAtFault: Bool {
        switch self {
        case .blocked, .taken, .missingTemplate, .unreadableSettings: true
        case .unreadable, .unwritable: false
        }
    }
}

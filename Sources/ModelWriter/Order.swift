/// What a plugin wants to have written.
struct Order {
    enum Target {
        /// All models in one file, as a build wants it, which must know its name beforehand.
        case file(String)
        /// A file for each model.
        case folder(String)
    }

    let definition: String
    let settings: String
    let target: Target

    /// Nil where the arguments are none: `DEFINITION SETTINGS --file FILE` or `--folder FOLDER`.
    init?(_ arguments: [String]) {
        guard arguments.count == 4 else { return nil }
        definition = arguments[0]
        settings = arguments[1]
        switch arguments[2] {
        case "--file": target = .file(arguments[3])
        case "--folder": target = .folder(arguments[3])
        default: return nil
        }
    }
}

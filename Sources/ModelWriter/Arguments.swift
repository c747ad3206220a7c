/// The command line arguments of the model writer.
struct Arguments {
    enum Target {
        /// All models in one file, for builds, which must know the file's name in advance.
        case file(String)
        /// One file for each model.
        case folder(String)
    }

    let definition: String
    let settings: String
    let target: Target

    /// Parses `DEFINITION SETTINGS --file FILE` or `DEFINITION SETTINGS --folder FOLDER`; nil for
    /// anything else.
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

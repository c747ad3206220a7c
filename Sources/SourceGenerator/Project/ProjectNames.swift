import DefinitionModel

/// The names of a new project's own declarations. None is the name of a model's type.
struct ProjectNames {
    /// The module of the app.
    let module: String
    /// The type of the app.
    let app: String
    /// The type of its usage errors.
    let mistake: String
    /// The module of the tests, and their type.
    let tests: String

    /// The prefix starts the names of the app's own types.
    init(_ project: ProjectName, prefix: Prefix, models types: [String]) {
        let module = typeName(project.text, prefix: "") + "App"
        let (app, mistake) = (prefix.text + "App", prefix.text + "Mistake")
        let names = CodeNames(
            of: [module, module + "Tests", app, mistake],
            by: NamingRule(
                noun: "type", taken: Set(types), suffix: "Command", spelled: { $0 }))
        self.module = names.name(of: module)
        self.app = names.name(of: app)
        self.mistake = names.name(of: mistake)
        tests = names.name(of: module + "Tests")
    }
}

import DefinitionModel

/// What the code of a new project calls its own things. None is called like a model's type.
struct ProjectNames {
    /// The module of the app.
    let module: String
    /// The type that the app is.
    let app: String
    /// The error that its user makes.
    let mistake: String
    /// The module of the tests, and their type.
    let tests: String

    init(_ project: ProjectName, models types: [String]) {
        let module = typeName(project.text, prefix: "") + "App"
        let names = CodeNames(
            of: [module, module + "Tests", "App", "Mistake"],
            by: NamingRule(
                noun: "type", taken: Set(types), suffix: "Command", spelled: { $0 }))
        self.module = names.name(of: module)
        app = names.name(of: "App")
        mistake = names.name(of: "Mistake")
        tests = names.name(of: module + "Tests")
    }
}

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

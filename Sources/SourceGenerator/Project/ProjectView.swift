import DefinitionModel

/// The values for the templates of a new project.
///
/// As in the views of models, a name must not have two meanings on different levels.
struct ProjectView {
    /// The name of the package and its program.
    let project: String
    let module: String
    let app: String
    let mistake: String
    let tests: String
    let application: String
    /// The constant that holds the definition, in backticks if needed.
    let constant: String
    let models: [ProjectModelView]
    let hasSeveralModels: Bool
    /// The library's package, as a dependency in the manifest.
    let dependency: String
    /// The package name in a product dependency.
    let packageName: String
    /// The device category of the app.
    let deviceCategory: String
    /// The other device categories, as a list in a sentence; nil if there are none.
    let otherDeviceCategories: String?
    /// The role that signs in; nil if there is none.
    let role: ProjectRoleView?
    let sample: SampleView?

    init(
        _ definition: Definition, named name: ProjectName, prefix: Prefix,
        library: LibraryLocation, view: DefinitionView, dialect: Dialect
    ) {
        let names = ProjectNames(name, prefix: prefix, models: view.models.map(\.typeName))
        let example = Sample(definition)
        let role = example?.role ?? definition.roles.first
        let category = role?.deviceCategory ?? definition.deviceCategories.first ?? ""
        project = name.text
        module = names.module
        app = names.app
        mistake = names.mistake
        tests = names.tests
        application = definition.application
        constant = view.constant
        models = view.models.map {
            ProjectModelView(modelName: $0.modelName, typeName: $0.typeName)
        }
        hasSeveralModels = models.count > 1
        dependency = library.dependency
        packageName = swiftLine(library.packageName)
        deviceCategory = category
        otherDeviceCategories = sentence(of: definition.deviceCategories.filter { $0 != category })
        self.role = role.map { ProjectRoleView(group: $0.group, roleName: $0.name) }
        sample = example.flatMap { SampleView($0, in: view, dialect: dialect) }
    }
}

struct ProjectModelView {
    /// The name in the definition.
    let modelName: String
    /// The name in the language.
    let typeName: String
}

struct ProjectRoleView {
    let group: String
    let roleName: String
}

/// A record for trying a new project.
struct SampleView {
    let sampleModel: String
    let sampleType: String
    /// As command line arguments, each after a space: ` title=Hello done=true`.
    let assignments: String
    /// As arguments in code: `title: "Hello", done: true`.
    let arguments: String
    /// The part that the author can read after creation.
    let seen: SeenView?
    /// Another value for a field, as a command line argument; nil if none may be changed.
    let change: SampleChangeView?
    let isRemovable: Bool

    /// Nil if the view lacks the sample's model, which cannot happen.
    init?(_ sample: Sample, in view: DefinitionView, dialect: Dialect) {
        guard let model = view.models.first(where: { $0.modelName == sample.model.name }) else {
            return nil
        }
        sampleModel = sample.model.name
        sampleType = model.typeName
        assignments = sample.given.map { " \($0.assignment)" }.joined()
        arguments = sample.given.compactMap { argument($0, in: model, sample, dialect) }
            .joined(separator: ", ")
        seen = sample.readable.first.flatMap { value in
            model.fields.first { $0.key == value.field.name }.map {
                SeenView(seenProperty: $0.name, seenAssignment: value.assignment)
            }
        }
        change = sample.change.map { SampleChangeView(newAssignment: $0.assignment) }
        isRemovable = sample.isRemovable
    }
}

struct SeenView {
    let seenProperty: String
    let seenAssignment: String
}

struct SampleChangeView {
    let newAssignment: String
}

private func argument(
    _ value: SampleValue, in model: ModelView, _ sample: Sample, _ dialect: Dialect
) -> String? {
    guard let view = model.fields.first(where: { $0.key == value.field.name }) else { return nil }
    var caseName: String?
    if case .text(let text) = value.value { caseName = view.enumeration?.caseName(of: text) }
    let presence = Presence(of: value.field, in: sample.model)
    return "\(view.name): \(dialect.initialValue(value.value, view.kind, caseName, presence))"
}

private func sentence(of names: [String]) -> String? {
    names.isEmpty ? nil : listed(names, by: "or")
}

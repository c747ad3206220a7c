import ChangeRules
import DefinitionModel
import DefinitionReports
import SyncEngine

/// Conflicts between a definition and stored values.
extension ToolFailure {
    init(_ clashes: [StoredTypeClash], in file: DefinitionFile, environment: String) {
        self.init(
            clashes.map { clash in
                "\(file.text(of: clash.place)): field '\(clash.field)' of '\(clash.model)' was "
                    + "\(clash.old.rawValue)\(earlierName(in: clash)) and would be "
                    + clash.new.rawValue
            }, environment, help: "give a field of another type another name")
    }

    init(_ fields: [RepeatedValues], in file: DefinitionFile, environment: String) {
        self.init(
            fields.map { repeated in
                "\(file.place(of: repeated)): field '\(repeated.field)' of '\(repeated.model)' "
                    + "would be unique, and \(count(repeated.records)) the value of another"
            }, environment,
            help: "give these records values of their own first, or leave 'unique' out")
    }

    /// A deployment is refused because of risks that nobody has accepted.
    init(_ risks: [DeploymentRisk], environment: String) {
        let lines = risks.flatMap { risk in
            ["  \(risk.name)"] + risk.messages.map { "    \($0)" }
                + (risk.examples.isEmpty
                    ? [] : ["    such as \(risk.examples.joined(separator: ", "))"])
        }
        self.init(
            .inputAtFault,
            (["this definition would break what environment '\(environment)' has"] + lines)
                .joined(separator: "\n"),
            help: "nothing was changed; to deploy it all the same, accept this with "
                + risks.map { "--accept '\($0.name)'" }.joined(separator: " "))
    }

    /// The definition does not take the values that a deployment brings.
    init(_ faults: [FillFault]) {
        self.init(
            .inputAtFault, faults.map(\.message).joined(separator: "\n"),
            help: "nothing was changed; correct the values, and deploy again")
    }

    /// A deployment would change the instance of an environment that is in use.
    init(inUse environment: String, with instance: String) {
        self.init(
            .inputAtFault,
            "environment '\(environment)' is in use, and its instance is \(instance)",
            help: "clients have named their databases after that instance, so it stays: leave "
                + "'--instance' out, or deploy to an environment of its own with '--environment' "
                + "before anyone signs in")
    }

    private init(_ lines: [String], _ environment: String, help: String) {
        self.init(
            .inputAtFault,
            (["records of environment '\(environment)' do not fit this definition"] + lines)
                .joined(separator: "\n"), help: help)
    }
}

/// ", as 'mass' of 'packet',", or an empty text if the field was not renamed.
private func earlierName(in clash: StoredTypeClash) -> String {
    guard (clash.storedModel, clash.storedField) != (clash.model, clash.field) else { return "" }
    return ", as '\(clash.storedField)' of '\(clash.storedModel)',"
}

private func count(_ records: Int) -> String {
    records == 1 ? "1 record has" : "\(records) records have"
}

extension DefinitionFile {
    fileprivate func text(of place: SourcePlace) -> String {
        "\(name):\(place.line):\(place.column)"
    }

    /// The position of the attribute that makes the field unique.
    fileprivate func place(of repeated: RepeatedValues) -> String {
        let model = definition.models.first { $0.name == repeated.model }
        let field = model?.fields.first { $0.name == repeated.field }
        return (field?.place(ofOption: "unique")).map(text) ?? name
    }
}

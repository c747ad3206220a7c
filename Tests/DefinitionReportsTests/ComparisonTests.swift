import DefinitionCompiler
import DefinitionModel
import DefinitionReports
import SyncEngine
import TestKit
import Testing

@Suite struct ComparisonTests {
    @Test(arguments: Documents.names)
    func nothingDiffersFromItself(name: String) throws {
        let definition = try Documents.definition(name)
        #expect(DefinitionComparison(from: definition, to: definition).isEmpty)
    }

    /// Neither place nor order in the document matters.
    @Test(arguments: Documents.names)
    func orderIsNoDifference(name: String) throws {
        let definition = try Documents.definition(name)
        let reversed = definition.reversed
        #expect(DefinitionComparison(from: definition, to: reversed).isEmpty)
        #expect(DefinitionComparison(from: reversed, to: definition).isEmpty)
    }

    /// Every attribute and option is omitted or changed in turn: there are differences if and only
    /// if the fingerprint changes.
    @Test(arguments: ["parcels", "levels"])
    func everyMutationIsReported(name: String) throws {
        let text = String(decoding: try Documents.source(name).bytes, as: UTF8.self)
        let original = try Documents.definition(name)
        var told = 0
        for (index, mutant) in mutants(of: text).enumerated() {
            let source = SourceFile(name: name, bytes: Array(mutant.utf8))
            guard let definition = compile(source).definition else { continue }
            let isSame = definition.fingerprint == original.fingerprint
            told += isSame ? 0 : 1
            let isBackwards = index % 2 == 1
            let comparison = DefinitionComparison(
                from: isBackwards ? definition : original,
                to: isBackwards ? original : definition)
            #expect(comparison.isEmpty == isSame, "\(changedLine(text, mutant))")
        }
        #expect(told > 100, "\(told)")
    }

    private func mutants(of text: String) -> [String] {
        let values = ["NONE", "OWN", "ALL", "true", "false", "OVERWRITE", "FILE", "7", "x"]
        let attributes = text.matches(of: /\s(?:w:)?[a-zA-Z]+="([^"]*)"/)
        let options = text.matches(of: /<option name="[a-zA-Z]+">([^<]*)<\/option>/)
        return
            (attributes.map { ($0.range, $0.output.1) } + options.map { ($0.range, $0.output.1) })
            .flatMap { whole, value in
                [text.replacingCharacters(in: whole, with: "")]
                    + values.map {
                        text.replacingCharacters(in: value.startIndex..<value.endIndex, with: $0)
                    }
            }
    }

    private func changedLine(_ text: String, _ mutant: String) -> Substring {
        zip(text.split(separator: "\n"), mutant.split(separator: "\n")).first { $0 != $1 }?.1 ?? ""
    }

    /// A difference that deployment refuses is breaking for stored data.
    @Test(arguments: FieldTypeName.allCases, [nil, "was"])
    func refusedDeploymentsAreChangedTypes(name: FieldTypeName, earlierName: String?) {
        let types: [FieldType] = [
            .text(TextLimits()), .integer(IntegerLimits()), .decimal(DecimalLimits()), .boolean,
            .date(DateLimits()), .belongsTo(Relation(model: "m")), .file,
        ]
        for (type, newType) in pairs(types, types.filter { $0.name == name }) {
            let old = Sample.definition(
                models: [Sample.model("m", fields: [Sample.field(earlierName ?? "f", type)])])
            let new = Sample.definition(
                models: [
                    Sample.model("m", fields: [Sample.field("f", newType, was: earlierName)])
                ], digest: "new")
            let changes = DefinitionComparison(from: old, to: new).differences.filter {
                $0.kind == .typeChanged
            }
            let isRefused = changes.contains { $0.data.impact == .breaking }
            #expect(isRefused != isDeployable(new, after: old))
            #expect(changes.isEmpty == (type.name == newType.name))
        }
    }

    /// With a record written under the old definition.
    private func isDeployable(_ new: Definition, after old: Definition) -> Bool {
        let present = EnvironmentState(
            id: EnvironmentID(number: 1), name: "test", instance: "", sequence: 1, deployment: 1,
            digest: "old", fingerprint: "old", source: [])
        let deployment = Deployment(
            of: new, source: [], at: Instant(milliseconds: 0), instance: "", replacing: present,
            after: [DeployedDefinition(old, sequence: nil)])
        switch deployment.decide(on: present) {
        case .success: return true
        case .failure: return false
        }
    }

    /// A limit that is not reported as tighter accepts every value that it accepted before.
    @Test func looserLimitAcceptsAllEarlierValues() throws {
        for (old, new) in pairs(sampleTypes, sampleTypes) where old.name == new.name {
            let comparison = DefinitionComparison(from: definition(old), to: definition(new))
            let isTighter = comparison.differences.contains { $0.kind == .limitTightened }
            let refused = sampleValues.filter {
                old.violations(of: $0).isEmpty && !new.violations(of: $0).isEmpty
            }
            #expect(isTighter || refused.isEmpty, "\(old), \(new), \(refused)")
        }
    }

    private func definition(_ type: FieldType) -> Definition {
        Sample.definition(models: [Sample.model("m", fields: [Sample.field("f", type)])])
    }
}

private let sampleTypes: [FieldType] = {
    let numbers = [nil, "-1", "0", "2"].map { $0.flatMap { DecimalNumber($0) } }
    let texts = [0, 2].flatMap { min in
        [2, 5].flatMap { max in
            [[], ["ab"], ["ab", "abcd"]].map {
                FieldType.text(TextLimits(minLength: min, maxLength: max, allowedValues: $0))
            }
        }
    }
    let decimals = pairs(numbers, numbers).flatMap { low, high in
        pairs([0, 2], [true, false]).map { scale, includes in
            FieldType.decimal(
                DecimalLimits(
                    scale: scale, minValue: low, maxValue: high, includesMinValue: includes,
                    includesMaxValue: !includes))
        }
    }
    let dates = pairs([nil, 0, 5], [nil, 6, 9]).map {
        FieldType.date(
            DateLimits(minMilliseconds: $0.map(Int64.init), maxMilliseconds: $1.map(Int64.init)))
    }
    let integers = pairs([0, 3], [4, 9]).flatMap { low, high in
        [[], [4], [3, 4]].map {
            FieldType.integer(IntegerLimits(minValue: low, maxValue: high, allowedValues: $0))
        }
    }
    return texts + decimals + dates + integers
}()

private let sampleValues: [FieldValue] =
    ["", "ab", "abc", "abcd", "abcdef"].map { .text($0) }
    + (-2...10).map { .integer($0) } + (-1...10).map { .date(milliseconds: $0) }
    + ["-2", "-1", "-0.5", "0", "0.25", "1", "2", "3"].compactMap { DecimalNumber($0) }.map {
        .decimal($0)
    }

private func pairs<First, Second>(_ first: [First], _ second: [Second]) -> [(First, Second)] {
    first.flatMap { one in second.map { (one, $0) } }
}

extension String {
    fileprivate func replacingCharacters(in range: Range<Index>, with text: String) -> String {
        self[..<range.lowerBound] + text + self[range.upperBound...]
    }
}

extension Definition {
    /// With everything in reverse order.
    fileprivate var reversed: Definition {
        Definition(
            application: application, vendor: vendor, description: description,
            conflictMode: conflictMode, deviceCategories: deviceCategories.reversed(),
            groups: groups.reversed(), roles: roles.reversed(),
            models: models.reversed().map(\.reversed), writtenExtensions: writtenExtensions,
            digest: digest, fingerprint: fingerprint)
    }
}

extension Model {
    fileprivate var reversed: Model {
        Model(
            name: name, description: description, renamedFrom: renamedFrom,
            conflictMode: conflictMode, fields: fields.reversed(),
            credentials: RoleTable(credentials.reversed()), writtenExtensions: writtenExtensions,
            place: SourcePlace(line: 7, column: 7))
    }
}

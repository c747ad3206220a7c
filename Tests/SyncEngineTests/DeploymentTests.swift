import DefinitionModel
import EngineKit
import Testing

@testable import SyncEngine

@Suite("A definition replaces another where stored values keep their type or widen")
struct DeploymentTests {
    private func definition(
        _ models: [(name: String, fields: [String])], of application: String = "a",
        by vendor: String = "v"
    ) throws -> Definition {
        let models = models.map { name, fields in
            "<model name=\"\(name)\"><fields>\n\(fields.joined(separator: "\n"))\n"
                + "</fields></model>"
        }
        return try checked(
            """
            <application xmlns="http://schema.mobeelizer.com/application"
              application="\(application)" vendor="\(vendor)">
              <devices><device name="mobile"/></devices>
              <groups><group name="users"/></groups>
              <roles><role group="users" device="mobile"/></roles>
              <models>
            \(models.joined(separator: "\n"))
              </models>
            </application>
            """)
    }

    private func field(_ name: String, _ type: String) -> String {
        "<field name=\"\(name)\" type=\"\(type)\"/>"
    }

    @Test func fieldOfAnotherTypeClashesAtItsPlaceInNewOne() throws {
        let old = try definition([
            ("Note", [field("a", "TEXT"), field("b", "INTEGER")]), ("Page", [field("a", "DATE")]),
        ])
        let new = try definition([
            ("Page", [field("a", "TEXT")]),
            ("Note", [field("b", "INTEGER"), field("a", "DECIMAL")]),
        ])
        #expect(
            clashes(from: old, to: new) == [
                StoredTypeClash(
                    model: "Page", field: "a", storedModel: "Page", storedField: "a", old: .date,
                    new: .text, place: SourcePlace(line: 8, column: 1)),
                StoredTypeClash(
                    model: "Note", field: "a", storedModel: "Note", storedField: "a", old: .text,
                    new: .decimal, place: SourcePlace(line: 12, column: 1)),
            ])
    }

    private func clashes(from old: Definition, to new: Definition) -> [StoredTypeClash] {
        StoredNames(of: [DeployedDefinition(old, sequence: 0)], until: 1).typeClashes(with: new)
    }

    private func state(
        _ deployment: Int64, fingerprint: String = "f", sequence: Int64 = 1
    ) -> EnvironmentState {
        EnvironmentState(
            id: EnvironmentID(number: 1), name: "test", instance: "i", sequence: sequence,
            deployment: deployment, digest: "d", fingerprint: fingerprint, source: [])
    }

    @Test func lockIsOpenedByThoseWhoMay() throws {
        let new = try definition([("Note", [field("a", "TEXT")])])
        let locked = EnvironmentState(
            id: EnvironmentID(number: 1), name: "test", instance: "i", sequence: 0, deployment: 5,
            digest: "d", fingerprint: "other", source: [], isLocked: true)
        for opensLock in [false, true] {
            let deployment = Deployment(
                of: new, source: [1], at: Instant(milliseconds: 7), instance: "i",
                replacing: locked, after: [], by: "ann", opensLock: opensLock)
            switch deployment.decide(on: locked) {
            case .success(let version): #expect(opensLock && version.author == "ann")
            case .failure(let refusal): #expect(!opensLock && refusal == .locked)
            }
        }
    }

    /// The state changes between the preparation of the deployment and the decision.
    @Test func deploymentIsDecidedOnCurrentState() throws {
        let old = try definition([("Note", [field("a", "TEXT")])])
        let new = try definition([("Note", [field("a", "DATE")])])
        func decide(_ found: EnvironmentState?, replacing present: EnvironmentState?) -> String {
            let deployment = Deployment(
                of: new, source: [1], at: Instant(milliseconds: 7), instance: "j",
                replacing: present,
                after: present == nil ? [] : [DeployedDefinition(old, sequence: 0)])
            switch deployment.decide(on: found) {
            case .success(let version):
                return version.fingerprint == new.fingerprint ? "written" : "wrong"
            case .failure(.isCurrent): return "is current"
            case .failure(.overtaken): return "overtaken"
            case .failure(.recordsChanged): return "changed"
            case .failure(.locked): return "locked"
            case .failure(.otherApplication(let vendor, let application)):
                return "of \(vendor)/\(application)"
            case .failure(.instanceInUse): return "in use"
            case .failure(.typesClash(let clashes)): return "\(clashes.count) clash"
            case .failure(.valuesNotUnique): return "not unique"
            case .failure(.fillsFaulty): return "faulty"
            }
        }
        let empty = state(5, sequence: 0)
        #expect(decide(nil, replacing: nil) == "written")
        #expect(decide(empty, replacing: nil) == "overtaken")
        #expect(decide(empty, replacing: empty) == "written")
        #expect(decide(state(5), replacing: empty) == "1 clash", "a record came meanwhile")
        #expect(decide(state(7), replacing: state(5)) == "overtaken", "even by the same again")
        #expect(decide(state(7, fingerprint: new.fingerprint), replacing: nil) == "is current")
    }

    /// A value that came after the count would be hidden without having been counted.
    @Test func changedRecordsAreCountedAgain() throws {
        let old = try definition([("Note", [field("a", "TEXT")])])
        let deployment = Deployment(
            of: try definition([("Note", [field("b", "TEXT")])]), source: [1],
            at: Instant(milliseconds: 7), instance: "j", replacing: state(5, sequence: 3),
            after: [DeployedDefinition(old, sequence: 0)])
        let table: [(found: EnvironmentState, counted: Int64?, refusal: DeploymentRefusal?)] = [
            (state(5, sequence: 3), 3, nil), (state(5, sequence: 4), 3, .recordsChanged),
            (state(5, sequence: 4), nil, nil), (state(7, sequence: 4), 3, .overtaken),
        ]
        for (found, counted, refusal) in table {
            switch deployment.decide(on: found, countedAt: counted) {
            case .success: #expect(refusal == nil)
            case .failure(let given): #expect(given == refusal)
            }
        }
    }

    /// Even without stored records.
    @Test(arguments: [("b", "v"), ("a", "w")])
    func environmentTakesNoOtherApplication(application: String, vendor: String) throws {
        let models = [(name: "Note", fields: [field("a", "TEXT")])]
        let present = state(5, sequence: 0)
        let deployment = Deployment(
            of: try definition(models, of: application, by: vendor), source: [1],
            at: Instant(milliseconds: 7), instance: "j", replacing: present,
            after: [DeployedDefinition(try definition(models), sequence: 0)])
        let refusal = DeploymentRefusal.otherApplication(vendor: "v", application: "a")
        #expect(deployment.decide(on: present) == .failure(refusal))
    }

    @Test func newRemovedAndUnchangedFieldsDoNotClash() throws {
        let old = try definition([
            ("Note", [field("a", "TEXT"), field("gone", "DATE")]), ("Gone", [field("a", "DATE")]),
        ])
        let new = try definition([
            ("Note", [field("a", "TEXT"), field("new", "DATE")]), ("New", [field("gone", "TEXT")]),
        ])
        #expect(clashes(from: old, to: new).isEmpty)
    }
}

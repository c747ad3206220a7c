import AccessPolicy
import DefinitionModel
import JSON
import NativeCalls
import SyncEngine
import SyncProtocol
import TestKit
import Testing

/// A user who pushes and queries.
enum FindPerson: CaseIterable, Sendable {
    /// Users who see all notes, but not the texts of others.
    case ann, bob
    /// A guest who sees the notes of guests.
    case gil

    var asker: Asker {
        let (login, group) =
            switch self {
            case .ann: ("ann", "users")
            case .bob: ("bob", "users")
            case .gil: ("gil", "guests")
            }
        return Asker(
            login: login, group: group, role: Role(group: group, deviceCategory: "mobile"))
    }
}

/// A store with an engine. Notes have a unique code and a parent.
struct FindDesk: Sendable {
    private let bench: StoreBench
    let engine: Engine

    init(_ kind: StoreKind, limits: Limits = Limits()) async throws {
        bench = try await kind.open()
        let definition = Definition.notes
        let deployed = try await bench.store.deploy(to: "test") { _ in
            .success(.test(definition.fingerprint))
        }
        engine = Engine(
            rules: Rules(definition), formerly: [], environment: try deployed.get().state,
            store: bench.store,
            seal: CursorSeal(
                seal: { String(decoding: $0, as: UTF8.self) }, open: { Array($0.utf8) }),
            naming: .test, limits: limits)
    }

    func deployAnother() async throws {
        _ = try await bench.store.deploy(to: "test") { _ in .success(.test("another")) }.get()
    }

    func push(_ change: ChangeMessage, by person: FindPerson) async throws {
        let answer = try await engine.sync(
            SyncRequest(changes: [change]), from: caller(person), at: Instant(milliseconds: 1))
        let outcome = try #require(answer.outcomes.first)
        try #require(outcome.outcome != .refused, "\(outcome)")
    }

    func answer(
        to request: FindRequest, for person: FindPerson
    ) async -> Result<FindResponse, SyncError> {
        do throws(SyncError) {
            return .success(try await engine.find(request, of: "Note", for: caller(person)))
        } catch {
            return .failure(error)
        }
    }

    func caller(_ person: FindPerson) -> Caller {
        Caller(
            asker: person.asker, deviceIdentifier: "\(person)", isAdmin: false,
            moment: .none)
    }
}

extension RecordNaming {
    static let test = RecordNaming(key: Array("a secret of the environment".utf8))
}

extension Definition {
    /// Guests see the notes of guests.
    fileprivate static let notes = notes(guestsRead: .group)

    static func notes(guestsRead level: AccessLevel) -> Definition {
        Definition(
            application: "a", vendor: "v", conflictMode: .manual, deviceCategories: ["mobile"],
            groups: ["users", "guests"], roles: [role("users"), role("guests")],
            models: [
                Model(
                    name: "Note",
                    fields: [
                        field("text", .text(TextLimits()), read: .own),
                        field("code", .text(TextLimits()), isUnique: true, read: .all),
                        field("parent", .belongsTo(Relation(model: "Note")), read: .all),
                    ],
                    credentials: [
                        role("users"): credential(read: .all),
                        role("guests"): credential(read: level),
                    ], place: SourcePlace(line: 1, column: 1))
            ], digest: "digest")
    }

    private static func role(_ group: String) -> Role {
        Role(group: group, deviceCategory: "mobile")
    }

    private static func credential(read: AccessLevel) -> ModelCredential {
        ModelCredential(
            create: .all, read: read, update: .all, delete: .all, resolvesConflicts: true,
            place: SourcePlace(line: 1, column: 1))
    }

    private static func field(
        _ name: String, _ type: FieldType, isUnique: Bool = false, read: AccessLevel
    ) -> Field {
        let place = SourcePlace(line: 1, column: 1)
        let rights = FieldCredential(create: .all, read: read, update: .all, place: place)
        return Field(
            name: name, type: type, isRequired: false, isUnique: isUnique, defaultValue: nil,
            credentials: [role("users"): rights, role("guests"): rights], writtenOptions: [],
            writtenDefault: nil, place: place)
    }
}

/// A guid for a number up to 1000. Guids descend with the number, so their order differs from the
/// order of creation.
func noteGuid(_ number: Int) -> String {
    let digits = String(1000 - number)
    return "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
}

extension ChangeMessage {
    static func create(_ number: Int, _ fields: [String: JSONValue]) -> ChangeMessage {
        ChangeMessage(
            id: "create-\(number)", action: .create, model: "Note",
            guid: noteGuid(number), fields: fields)
    }

    static func update(
        _ number: Int, from base: Int64, _ fields: [String: JSONValue]
    ) -> ChangeMessage {
        ChangeMessage(
            id: "update-\(number)-\(base)", action: .update, model: "Note", guid: noteGuid(number),
            base: base, fields: fields)
    }

    static func delete(_ number: Int, from base: Int64) -> ChangeMessage {
        ChangeMessage(
            id: "delete-\(number)-\(base)", action: .delete, model: "Note", guid: noteGuid(number),
            base: base)
    }
}

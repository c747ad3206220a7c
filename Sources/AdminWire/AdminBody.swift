import Administration
import Hummingbird
import JSON
import SyncServer

/// The members of a request's body, which has the shape of its route.
struct AdminBody: Sendable {
    let members: [String: JSONValue]

    init(members: [String: JSONValue]) { self.members = members }

    /// Reads and checks the body of a request; empty for a route without one. Throws
    /// `contentTypeUnsupported`, `notJSON` and `wrongShape`, and as `WireHost.wholeBody`.
    init(
        of request: Request, _ context: ConnectionContext, _ host: WireHost, _ route: AdminRoute
    ) async throws {
        guard let shape = route.body else {
            members = [:]
            return
        }
        let type = request.header("content-type")?.split(separator: ";").first?.lowercased()
        guard type == "application/json" else { throw HTTPFailure.contentTypeUnsupported() }
        let bytes = try await host.wholeBody(
            of: request, context,
            upTo: route.takesMuch ? host.bodies.maxBytes : AdministrationLimits.bodyBytes)
        let value = try await host.work.compute(ofBody: bytes.count, on: context) {
            try? parseJSON(bytes)
        }
        guard let value else { throw HTTPFailure.notJSON() }
        do throws(MessageFault) {
            try shape.check(value)
        } catch {
            throw HTTPFailure(error)
        }
        guard case .object(let members) = value else { throw HTTPFailure.notJSON() }
        self.members = members
    }

    /// Nil if the member is missing or null.
    func optionalText(_ name: String) -> String? {
        guard case .string(let text) = members[name] else { return nil }
        return text
    }

    /// A required text, which the shape has checked.
    func text(_ name: String) -> String { optionalText(name) ?? "" }

    /// Any member; null if it is missing.
    func value(_ name: String) -> JSONValue { members[name] ?? .null }

    func number(_ name: String) -> Int64? {
        guard case .integer(let number) = members[name] else { return nil }
        return number
    }

    func flag(_ name: String) -> Bool? {
        guard case .boolean(let flag) = members[name] else { return nil }
        return flag
    }

    /// The texts of a list; nil if it is missing.
    func texts(_ name: String) -> [String]? {
        guard case .array(let values) = members[name] else { return nil }
        return values.compactMap { value in
            guard case .string(let text) = value else { return nil }
            return text
        }
    }

    /// The whole body.
    var json: JSONValue { .object(members) }

    /// The members of an object.
    func part(_ name: String) -> AdminBody {
        guard case .object(let members) = members[name] else { return AdminBody(members: [:]) }
        return AdminBody(members: members)
    }
}

extension AdminRoute {
    fileprivate var takesMuch: Bool { Self.large.contains(operation) }

    /// The operations with definitions or records in their bodies.
    private static let large: Set<AdminOperation> = [
        .deploy, .importVersion, .check, .diff, .changeRecords, .resolveConflicts,
        .sendNotification, .edit, .drawDiagram, .generateModels, .makePackage, .writeDraft,
        .simulate,
    ]
}

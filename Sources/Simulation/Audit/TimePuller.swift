import AccessPolicy
import ChangeRules
import DefinitionModel
import JSON
import RecordSearch
import SyncEngine

/// A client that knows a time in place of a cursor, and asks for what came, went or looks different
/// since. It asks for each model on its own, as the clients of other wires do.
struct TimePuller: Sendable {
    /// By guid, what the client shows.
    private(set) var held: [String: RecordView] = [:]
    /// By model, the stamp of the last record that came.
    private var stamps: [String: Int64] = [:]

    /// Asks for one page of each model. Returns whether anything came.
    mutating func readOn(
        _ engine: Engine, as caller: Caller, limit: Int
    ) async throws -> Bool {
        var isNews = false
        for model in engine.rules.definition.models {
            let stamp = stamps[model.name] ?? 0
            var query = FindQuery(
                filter: .compare(.gt, operand: "$changedAt", with: .value(.integer(stamp))),
                sort: [FindQuery.SortKey("$changedAt")], limit: limit)
            query.includesDeleted = true
            query.isPull = stamp > 0
            for found in try await engine.find(query, of: model.name, for: caller).found {
                held[found.record.guid] = found.record.isDeleted ? nil : found.record
                guard found.changedAt.milliseconds > stamps[model.name] ?? 0 else {
                    throw InvariantViolation(
                        .pullsByTimeAgree,
                        "after \(stamp) comes \(found.record.summary) with the stamp "
                            + "\(found.changedAt.milliseconds)")
                }
                stamps[model.name] = found.changedAt.milliseconds
                isNews = true
            }
        }
        return isNews
    }
}

// MARK: - Pulls

extension World {
    /// Nothing happens while the user has no role on the device.
    mutating func pull(_ client: Int, limit: Int) async throws(InvariantViolation) {
        _ = try await readOn(client, limit: limit)
    }

    /// Lets every puller read to the end, and compares it with one that begins.
    mutating func auditPullers() async throws(InvariantViolation) {
        for client in clients.indices where isWanted() {
            var pages = 0
            while try await readOn(client, limit: 3), pages < Self.maxPages { pages += 1 }
            guard let caller = try await timeCaller(of: client) else { continue }
            let fresh = try await freshRecords(for: caller)
            let held = pullers[client].held
            for guid in Set(held.keys).union(fresh.keys).sorted() where held[guid] != fresh[guid] {
                throw InvariantViolation(
                    .pullsByTimeAgree,
                    "\(clients[client].summary), pulling by time, shows "
                        + "\(held[guid]?.summary ?? "nothing"), and a fresh client "
                        + "\(fresh[guid]?.summary ?? "nothing")")
            }
        }
    }

    private static let maxPages = 10_000

    private mutating func readOn(
        _ client: Int, limit: Int
    ) async throws(InvariantViolation) -> Bool {
        guard let caller = try await timeCaller(of: client) else { return false }
        do {
            return try await pullers[client].readOn(server.engine, as: caller, limit: limit)
        } catch let violation as InvariantViolation {
            throw violation
        } catch {
            throw InvariantViolation(
                .everyRequestIsAnswered,
                "\(clients[client].summary), pulling by time, is told \(error)")
        }
    }

    /// Nil if the user has no role on the device.
    private func timeCaller(of client: Int) async throws(InvariantViolation) -> Caller? {
        let participant = clients[client].participant
        let asker = try await server.trueAsker(for: participant)
        guard server.rules.definition.roles.contains(asker.role) else { return nil }
        return Caller(
            asker: asker, deviceIdentifier: participant.deviceIdentifier + "-by-time",
            isAdmin: false, moment: .none)
    }

    private func freshRecords(
        for caller: Caller
    ) async throws(InvariantViolation) -> [String: RecordView] {
        var records: [String: RecordView] = [:]
        do throws(SyncError) {
            for model in server.rules.definition.models {
                var query = FindQuery(limit: 50)
                repeat {
                    let page = try await server.engine.find(query, of: model.name, for: caller)
                    for record in page.records where !record.isDeleted {
                        records[record.guid] = record
                    }
                    query.cursor = page.cursor
                } while query.cursor != nil
            }
        } catch {
            throw InvariantViolation(.everyRequestIsAnswered, "a query is told \(error)")
        }
        return records
    }
}

extension RecordView {
    fileprivate var summary: String {
        "\(shortName(guid, model: model)) at revision \(revision)"
            + (isDeleted ? ", deleted" : "") + (isConflicted ? ", conflicted" : "")
            + (fields.map { " with \($0.summary)" } ?? "")
    }
}

import Synchronization

/// Identifies a waiting task in this process.
package struct WaitTicket: Hashable, Sendable {
    private static let last = Atomic(0)

    private let number = WaitTicket.last.add(1, ordering: .relaxed).newValue

    package init() {}
}

/// Where a waiting task comes from: a member of a group, such as a user at an address.
package struct WaitOrigin: Hashable, Sendable {
    package let group: String
    package let member: String

    package init(group: String = "", member: String = "") {
        self.group = group
        self.member = member
    }
}

/// Waiting tasks of many origins, which take turns: first the groups, then the members of a group,
/// then the elements of a member in the order in which they came.
///
/// The queue is bounded. When it is full, the group with the most elements gives one up, so the
/// elements of one group take no place from those of a smaller one.
package struct FairQueue<Element: Sendable>: Sendable {
    private struct Waiting: Sendable {
        let ticket: WaitTicket
        let origin: WaitOrigin
        let element: Element
    }

    private let maxCount: Int
    /// In the order in which they came.
    private var waiting: [Waiting] = []
    /// Groups with elements, in the order of their turns.
    private var groups: [String] = []
    /// Members with elements of each group, in the order of their turns.
    private var members: [String: [String]] = [:]

    package init(maxCount: Int) { self.maxCount = maxCount }

    package var count: Int { waiting.count }

    /// Returns the element for which there is no room, if any: the given one, or an earlier one
    /// that leaves the queue.
    package mutating func append(
        _ element: Element, _ ticket: WaitTicket, of origin: WaitOrigin
    ) -> Element? {
        let added = Waiting(ticket: ticket, origin: origin, element: element)
        guard waiting.count >= maxCount else {
            insert(added)
            return nil
        }
        let loser = loser(adding: origin)
        guard loser != origin, let last = waiting.last(where: { $0.origin == loser }) else {
            return element
        }
        _ = remove(last.ticket)
        insert(added)
        return last.element
    }

    /// Returns nil if the queue is empty.
    package mutating func popFirst() -> Element? { popFirst { _ in true } }

    /// Passes over the members whose first element is not ready. Returns nil if none is.
    package mutating func popFirst(where isReady: (Element) -> Bool) -> Element? {
        for group in groups {
            for member in members[group] ?? [] {
                let origin = WaitOrigin(group: group, member: member)
                guard let index = waiting.firstIndex(where: { $0.origin == origin }),
                    isReady(waiting[index].element)
                else { continue }
                let found = waiting.remove(at: index)
                endTurn(of: origin)
                return found.element
            }
        }
        return nil
    }

    /// Returns nil if the element is not in the queue any more, or not yet.
    package mutating func remove(_ ticket: WaitTicket) -> Element? {
        guard let index = waiting.firstIndex(where: { $0.ticket == ticket }) else { return nil }
        let found = waiting.remove(at: index)
        if !waiting.contains(where: { $0.origin == found.origin }) { drop(found.origin) }
        return found.element
    }

    /// Empties the queue, and returns the elements in the order in which they came.
    package mutating func removeAll() -> [Element] {
        defer { self = FairQueue(maxCount: maxCount) }
        return waiting.map(\.element)
    }
}

extension FairQueue {
    private mutating func insert(_ added: Waiting) {
        waiting.append(added)
        let origin = added.origin
        if members[origin.group] == nil { groups.append(origin.group) }
        if members[origin.group]?.contains(origin.member) != true {
            members[origin.group, default: []].append(origin.member)
        }
    }

    /// Moves the group and the member to the end of their rows, if they have further elements.
    private mutating func endTurn(of origin: WaitOrigin) {
        let hasMore = waiting.contains { $0.origin == origin }
        drop(origin)
        if hasMore { members[origin.group, default: []].append(origin.member) }
        guard members[origin.group] != nil else { return }
        groups.removeAll { $0 == origin.group }
        groups.append(origin.group)
    }

    private mutating func drop(_ origin: WaitOrigin) {
        members[origin.group]?.removeAll { $0 == origin.member }
        guard members[origin.group]?.isEmpty ?? true else { return }
        members[origin.group] = nil
        groups.removeAll { $0 == origin.group }
    }

    /// The origin that has the most elements in the group that has the most, with one added. On a
    /// tie it is the origin of the added one.
    private func loser(adding added: WaitOrigin) -> WaitOrigin {
        let origins = waiting.map(\.origin)
        let group = Self.largest(
            of: origins.map(\.group) + [added.group], preferring: added.group)
        let members = origins.filter { $0.group == group }.map(\.member)
        guard group == added.group else {
            return WaitOrigin(
                group: group, member: Self.largest(of: members, preferring: members.last ?? ""))
        }
        return WaitOrigin(
            group: group,
            member: Self.largest(of: members + [added.member], preferring: added.member))
    }

    /// The most frequent text; on a tie `preferred`, if it is among them, otherwise the last.
    private static func largest(of texts: [String], preferring preferred: String) -> String {
        var counts: [String: Int] = [:]
        for text in texts { counts[text, default: 0] += 1 }
        let most = counts.values.max()
        if counts[preferred] == most { return preferred }
        return texts.last { counts[$0] == most } ?? preferred
    }
}

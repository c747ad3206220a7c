import NIOConcurrencyHelpers

/// A budget in bytes for the bodies and responses that a process holds in memory, with a share for
/// each owner. It only counts; nothing is allocated.
final class MemoryBudget: Sendable {
    private struct Used {
        var total = 0
        var ofOwners: [MemoryOwner: Int] = [:]

        mutating func reduce(_ bytes: Int, of owner: MemoryOwner) {
            let rest = ofOwners[owner, default: 0] - bytes
            ofOwners[owner] = rest > 0 ? rest : nil
        }
    }

    let maxBytes: Int
    /// The share of one owner.
    let maxOfOne: Int
    private let used = NIOLockedValueBox(Used())

    /// One owner may hold a third.
    init(maxBytes: Int) {
        self.maxBytes = maxBytes
        maxOfOne = max(1, maxBytes / 3)
    }

    var usedBytes: Int { used.withLockedValue { $0.total } }

    /// Call `give` afterwards, unless this throws.
    func take(_ bytes: Int, for owner: MemoryOwner) throws(MemoryShortage) {
        let shortage: MemoryShortage? = used.withLockedValue { used in
            let own = used.ofOwners[owner, default: 0]
            guard own + bytes <= maxOfOne else { return .ofOwner }
            guard used.total + bytes <= maxBytes else { return .ofServer }
            used.ofOwners[owner] = own + bytes
            used.total += bytes
            return nil
        }
        if let shortage { throw shortage }
    }

    func give(_ bytes: Int, of owner: MemoryOwner) {
        guard bytes > 0 else { return }
        used.withLockedValue { used in
            used.total -= bytes
            used.reduce(bytes, of: owner)
        }
    }

    /// Charges bytes to another owner. They are in memory already, so the limit of that owner does
    /// not apply.
    func move(_ bytes: Int, from owner: MemoryOwner, to other: MemoryOwner) {
        guard bytes > 0 else { return }
        used.withLockedValue { used in
            used.reduce(bytes, of: owner)
            used.ofOwners[other, default: 0] += bytes
        }
    }
}

/// A user, or an address from which nobody has signed in yet.
enum MemoryOwner: Hashable, Sendable {
    /// Nil for a connection without an address, such as a Unix domain socket.
    case address(IPAddress?)
    case user(UserKey)
}

enum MemoryShortage: Error, Hashable {
    /// The owner holds as much as one owner may.
    case ofOwner
    case ofServer
}

extension MemoryBudget {
    /// The first bytes of a request and of its response are not counted, so that small ones cost
    /// nothing.
    static let uncountedBytes = 1024
}

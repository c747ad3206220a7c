import ChangeRules
package import JSON

/// Coding without `Codable`, for speed: every request reads a cursor, and most write one.
extension Cursor: WellFormed, JSONWritable {
    package init?(wellFormed json: JSONValue) {
        guard case .object(let members) = json, [4, 6].contains(members.count),
            case .string(let instance) = members["instance"],
            case .integer(let position) = members["position"],
            let rights = members["rights"].flatMap(Rights.init(wellFormed:)),
            let phase = members["phase"].flatMap(Phase.init(wellFormed:))
        else { return nil }
        self.init(instance: instance, position: position, rights: rights, phase: phase)
        // Earlier versions wrote neither.
        guard members.count == 6 else { return }
        guard case .integer(let epoch) = members["epoch"],
            case .integer(let known) = members["known"]
        else { return nil }
        self.epoch = epoch
        self.known = known
    }

    package func write(to writer: inout JSONWriter) {
        writer.piece(#"{"epoch":"#)
        writer.integer(epoch)
        writer.piece(#","instance":"#)
        writer.string(instance)
        writer.piece(#","known":"#)
        writer.integer(known)
        writer.piece(#","phase":"#)
        phase.write(to: &writer)
        writer.piece(#","position":"#)
        writer.integer(position)
        writer.piece(#","rights":"#)
        rights.write(to: &writer)
        writer.piece("}")
    }
}

extension Cursor.Phase {
    fileprivate init?(wellFormed json: JSONValue) {
        guard case .object(let phases) = json, phases.count == 1 else { return nil }
        if case .object(let members) = phases["following"], members.count == 1,
            case .integer(let since) = members["since"]
        {
            self = .following(since: since)
        } else if case .object(let members) = phases["starting"], members.count == 1,
            case .integer(let sequence) = members["at"]
        {
            self = .starting(at: sequence)
        } else if case .object(let members) = phases["changing"], members.count == 3,
            case .integer(let since) = members["since"],
            case .integer(let until) = members["until"],
            let rights = members["from"].flatMap(Rights.init(wellFormed:))
        {
            self = .changing(from: rights, since: since, until: until)
        } else {
            return nil
        }
    }

    fileprivate func write(to writer: inout JSONWriter) {
        switch self {
        case .following(let sequence):
            writer.piece(#"{"following":{"since":"#)
            writer.integer(sequence)
        case .starting(let sequence):
            writer.piece(#"{"starting":{"at":"#)
            writer.integer(sequence)
        case .changing(let rights, let since, let until):
            writer.piece(#"{"changing":{"from":"#)
            rights.write(to: &writer)
            writer.piece(#","since":"#)
            writer.integer(since)
            writer.piece(#","until":"#)
            writer.integer(until)
        }
        writer.piece("}}")
    }
}

extension Rights {
    fileprivate init?(wellFormed json: JSONValue) {
        guard case .object(let members) = json, members.count == 4,
            case .string(let fingerprint) = members["fingerprint"],
            case .string(let login) = members["login"],
            case .string(let group) = members["group"],
            case .string(let deviceCategory) = members["deviceCategory"]
        else { return nil }
        self.init(
            fingerprint: fingerprint, login: login, group: group, deviceCategory: deviceCategory)
    }

    fileprivate func write(to writer: inout JSONWriter) {
        writer.piece(#"{"deviceCategory":"#)
        writer.string(deviceCategory)
        writer.piece(#","fingerprint":"#)
        writer.string(fingerprint)
        writer.piece(#","group":"#)
        writer.string(group)
        writer.piece(#","login":"#)
        writer.string(login)
        writer.piece("}")
    }
}

import DefinitionModel
import JSON
package import SyncProtocol

/// The same random history in two worlds. They differ in what the reader may not see: in values, in
/// which of the hidden fields a change sets, and in records that the reader cannot know of, which
/// have another guid in each world.
///
/// The reader sends the same to both worlds.
package struct HiddenHistories {
    /// A record.
    package struct Item: Sendable {
        /// In each world. Equal unless the reader cannot know of the record.
        package let guids: [String]
        package let model: String
        package let kinship: Kinship
        package var revision: Int64 = 0
        package var isDeleted = false

        package var isGhost: Bool { guids[0] != guids[1] }
    }

    /// A change of a keeper.
    package struct Step: Sendable {
        /// In each world.
        package let changes: [ChangeMessage]
        package let item: Int
    }

    package let secrecy: RandomSecrecy
    package var random: SplitMix64
    package private(set) var items: [Item] = []
    private var count = 0
    private var isBlind = false

    /// With `isBlind`, the worlds differ in what the reader sees, too: then a comparison of what
    /// the reader gets must fail.
    package init(seed: UInt64, isBlind: Bool = false) {
        random = SplitMix64(seed: seed)
        secrecy = RandomSecrecy(using: &random)
        self.isBlind = isBlind
    }

    /// Notes the states of records, which are the same in both worlds, by their guids in the first
    /// one.
    package mutating func note(_ states: [String: (revision: Int64, isDeleted: Bool)]) {
        for place in items.indices {
            guard let state = states[items[place].guids[0]] else { continue }
            (items[place].revision, items[place].isDeleted) = state
        }
    }

    /// Notes a record that the reader has created.
    package mutating func add(_ guid: String, of model: String) {
        items.append(
            Item(
                guids: [guid, guid], model: model,
                kinship: Kinship(isOwner: true, isInGroup: true), revision: 1))
    }

    private mutating func freshGuid(_ space: Int = 0) -> String {
        count += 1
        let digits = String(1_000_000 * (space + 1) + count)
        return "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count)
            + digits
    }

    private mutating func freshID() -> String {
        count += 1
        return "change-\(1_000_000 + count)"
    }

    private mutating func text() -> JSONValue {
        count += 1
        let length = random.one(of: [0, 3, 40, 300]) ?? 3
        let letter = random.one(of: ["x", "é", "\"", "\n", "🐝"]) ?? "x"
        return .string("\(count) " + String(repeating: letter, count: length))
    }

    private mutating func number() -> JSONValue { .integer(Int64(random.number(in: 0..<1000))) }

    /// The text of a JSON list.
    private mutating func list() -> JSONValue {
        count += 1
        let more = random.one(of: ["", #","x""#, #",{"k":1}"#]) ?? ""
        return .string("[\(count)\(more)]")
    }

    private mutating func file() -> JSONValue {
        let name = String(repeating: "n", count: random.one(of: [1, 9, 60]) ?? 1)
        return .object(["guid": .string(freshGuid(7)), "filename": .string(name)])
    }
}

// MARK: - The keeper

extension HiddenHistories {
    /// A creation, an edit or a deletion. Conflict modes that look at fields get no stale edits:
    /// their outcomes would depend on hidden fields.
    package mutating func nextOfKeeper() -> Step {
        let living = items.indices.filter { !items[$0].isDeleted }
        guard let place = random.one(of: living), random.number(in: 0..<10) > 3 else {
            return creation()
        }
        let item = items[place]
        let isStale =
            random.number(in: 0..<4) == 0 && item.revision > 1
            && secrecy.mode(of: item.model) != .merge
        let base = isStale ? 1 : item.revision
        guard random.number(in: 0..<8) > 0 else {
            return step(.delete, place, base: base, [[:], [:]])
        }
        return step(.update, place, base: base, fields(of: place))
    }

    private mutating func creation() -> Step {
        let kinship = random.one(of: Kinship.all) ?? Kinship.all[0]
        let model = random.one(of: RandomSecrecy.models) ?? ""
        let guid = freshGuid()
        let isGhost = !secrecy.tells(of: model, kinship) && random.flip()
        items.append(
            Item(guids: [guid, isGhost ? freshGuid(1) : guid], model: model, kinship: kinship))
        return step(.create, items.count - 1, base: nil, fields(of: items.count - 1))
    }

    private mutating func step(
        _ action: ChangeMessage.Action, _ place: Int, base: Int64?, _ fields: [[String: JSONValue]]
    ) -> Step {
        let (item, id) = (items[place], freshID())
        return Step(
            changes: [0, 1].map { world in
                ChangeMessage(
                    id: id, action: action, model: item.model, guid: item.guids[world], base: base,
                    fields: fields[world])
            }, item: place)
    }

    /// The values in each world. At least one text changes in each, to a value that no field had.
    private mutating func fields(of place: Int) -> [[String: JSONValue]] {
        let item = items[place]
        let hidden = RandomSecrecy.fields.filter {
            isBlind || item.isGhost || !secrecy.shows($0, of: item.model, item.kinship)
        }
        let shown = RandomSecrecy.fields.filter { !hidden.contains($0) }
        var fields: [[String: JSONValue]] = [[:], [:]]
        for name in random.some(of: shown) {
            let value = value(of: name, in: 0, of: item)
            for world in [0, 1] { fields[world][name] = value }
        }
        for world in [0, 1] {
            for name in random.some(of: hidden) {
                fields[world][name] = value(of: name, in: world, of: item)
            }
        }
        let texts = RandomSecrecy.texts
        guard !texts.contains(where: { shown.contains($0) && fields[0][$0] != nil }) else {
            return fields
        }
        let forced = random.one(of: texts) ?? texts[0]
        let value = text()
        for world in [0, 1] {
            let name =
                hidden.contains(forced)
                ? random.one(of: texts.filter(hidden.contains)) ?? forced : forced
            fields[world][name] = hidden.contains(forced) ? text() : value
        }
        return fields
    }

    private mutating func value(of field: String, in world: Int, of item: Item) -> JSONValue {
        switch field {
        case "up":
            let isShown = !item.isGhost && secrecy.shows(field, of: item.model, item.kinship)
            let target = secrecy.targets[item.model]
            let found = items.filter {
                $0.model == target && !$0.isDeleted && $0.revision > 0 && !(isShown && $0.isGhost)
            }
            return random.one(of: found).map { .string($0.guids[world]) } ?? .null
        case "file": return file()
        case "number": return number()
        case "list": return list()
        case _: return text()
        }
    }
}

// MARK: - The reader

extension HiddenHistories {
    /// A change of any record, whether the reader knows it or not, with any relation. It creates
    /// no record that exists already, which would tell of it.
    package mutating func nextOfReader() -> ChangeMessage {
        let place = random.one(of: Array(items.indices))
        let item = place.map { items[$0] }
        let model = item?.model ?? RandomSecrecy.models[0]
        switch random.number(in: 0..<10) {
        case 0...1:
            let model = random.one(of: RandomSecrecy.models) ?? model
            return ChangeMessage(
                id: freshID(), action: .create, model: model, guid: freshGuid(2),
                fields: readersFields(of: model))
        case 2:
            return ChangeMessage(
                id: freshID(), action: .delete, model: model, guid: anyGuid(of: item),
                base: base(of: item), ifStale: random.flip() ? .refuse : nil)
        case 3:
            return ChangeMessage(
                id: freshID(), action: .resolve, model: model, guid: anyGuid(of: item),
                base: base(of: item), fields: random.flip() ? readersFields(of: model) : [:])
        case _:
            return ChangeMessage(
                id: freshID(), action: .update, model: model, guid: anyGuid(of: item),
                base: base(of: item), ifStale: random.number(in: 0..<3) == 0 ? .refuse : nil,
                fields: readersFields(of: model))
        }
    }

    /// A guid of one of the worlds, or one that nothing has.
    package mutating func anyGuid(of item: Item?) -> String {
        guard let item, random.number(in: 0..<12) > 0 else { return freshGuid(3) }
        return random.one(of: item.guids) ?? item.guids[0]
    }

    private mutating func base(of item: Item?) -> Int64 {
        let revision = max(1, item?.revision ?? 1)
        return random.flip() ? revision : Int64(random.number(in: 1...Int(revision) + 1))
    }

    private mutating func readersFields(of model: String) -> [String: JSONValue] {
        var fields: [String: JSONValue] = [:]
        for name in random.some(of: RandomSecrecy.fields) {
            switch name {
            case "up":
                let target = secrecy.targets[model]
                let found = random.one(of: items.filter { $0.model == target })
                fields[name] = .string(anyGuid(of: found))
            case "file": fields[name] = file()
            case "number": fields[name] = number()
            case "list": fields[name] = list()
            case _: fields[name] = random.number(in: 0..<5) == 0 ? .null : text()
            }
        }
        return fields
    }
}

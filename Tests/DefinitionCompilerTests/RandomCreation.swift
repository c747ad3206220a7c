import TestKit

/// A small random definition for tests of creation: each role may read everything, the rest is
/// random.
struct RandomCreation {
    let roles: Range<Int>
    let models: [RandomModel]

    init(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        roles = 0..<Int.random(in: 1...3, using: &random)
        let count = Int.random(in: 1...4, using: &random)
        models = (0..<count).map { [roles] _ in
            RandomModel(models: count, roles: roles, using: &random)
        }
    }

    /// One element on each line, so that a line identifies a model or field.
    var document: Document {
        var document = Document()
        let groups = roles.map { "<group name=\"g\($0)\"/>" }.joined()
        let pairs = roles.map { "<role group=\"g\($0)\" device=\"d\"/>" }.joined()
        document.add(
            "<application application=\"a\" vendor=\"v\" conflictMode=\"OVERWRITE\">"
                + "<devices><device name=\"d\"/></devices><groups>\(groups)</groups>"
                + "<roles>\(pairs)</roles><models>")
        for (index, model) in models.enumerated() {
            document.add("<model name=\"m\(index)\">", at: .model(index))
            document.add("<fields>")
            for (number, field) in model.fields.enumerated() {
                document.add(text(of: field, named: "f\(number)"), at: .field(number, of: index))
            }
            document.add("</fields>\(credentials(creating: model.creators))</model>")
        }
        document.add("</models></application>")
        return document
    }

    private func text(of field: RandomField, named name: String) -> String {
        let type = field.target == nil ? "TEXT" : "BELONGS_TO"
        let value = field.hasDefault ? " defaultValue=\"x\"" : ""
        let option = field.target.map { "<option name=\"model\">m\($0)</option>" } ?? ""
        return "<field name=\"\(name)\" type=\"\(type)\" required=\"\(field.isRequired)\"\(value)>"
            + "\(credentials(creating: field.writers))<options>\(option)</options></field>"
    }

    private func credentials(creating able: Set<Int>) -> String {
        let all = roles.map { role in
            let level = able.contains(role) ? "ALL" : "NONE"
            return
                "<credential role=\"g\(role)-d\" readAllowed=\"ALL\" createAllowed=\"\(level)\"/>"
        }
        return "<credentials>\(all.joined())</credentials>"
    }
}

struct RandomModel {
    let creators: Set<Int>
    let fields: [RandomField]

    fileprivate init(models: Int, roles: Range<Int>, using random: inout SplitMix64) {
        creators = Set(roles.filter { _ in Int.random(in: 0..<10, using: &random) < 7 })
        fields = (0..<Int.random(in: 1...3, using: &random)).map { _ in
            RandomField(models: models, roles: roles, using: &random)
        }
    }

    /// The fields that a new record requires.
    var needed: [RandomField] { fields.filter { $0.isRequired && !$0.hasDefault } }
}

struct RandomField {
    /// The target model of a relation; nil for a text.
    let target: Int?
    let isRequired: Bool
    let hasDefault: Bool
    let writers: Set<Int>

    fileprivate init(models: Int, roles: Range<Int>, using random: inout SplitMix64) {
        target =
            Int.random(in: 0..<10, using: &random) < 7
            ? Int.random(in: 0..<models, using: &random) : nil
        isRequired = Int.random(in: 0..<10, using: &random) < 8
        hasDefault = target == nil && Int.random(in: 0..<10, using: &random) < 3
        writers = Set(roles.filter { _ in Int.random(in: 0..<10, using: &random) < 8 })
    }
}

/// A document with the line of each part.
struct Document {
    enum Part: Hashable {
        case model(Int)
        case field(Int, of: Int)

        var model: Int {
            switch self {
            case .model(let model), .field(_, let model): model
            }
        }
    }

    private(set) var text = ""
    private(set) var parts: [Int: Part] = [:]
    private var lines = 0

    fileprivate mutating func add(_ line: String, at part: Part? = nil) {
        lines += 1
        text += line + "\n"
        parts[lines] = part
    }
}

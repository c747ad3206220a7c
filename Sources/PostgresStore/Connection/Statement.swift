/// A statement with its parameters.
struct Statement: Sendable {
    let text: String
    let parameters: [Parameter]

    init(_ text: String, _ parameters: [Parameter] = []) {
        self.text = text
        self.parameters = parameters
    }
}

/// A parameter in PostgreSQL's binary format; nothing is ever quoted into the text.
enum Parameter: Hashable, Sendable {
    case integer(Int64?)
    case flag(Bool)
    case text(String?)
    case bytes([UInt8]?)
    case integers([Int64])
    case flags([Bool])
    case texts([String])
    /// NULL, as an array of texts.
    case noTexts
    case byteStrings([[UInt8]])
}

extension Parameter {
    /// The type's object id in PostgreSQL's catalogue. The ids of built-in types are constant.
    var type: UInt32 {
        switch self {
        case .integer: 20
        case .flag: 16
        case .text: 25
        case .bytes: 17
        case .integers: 1016
        case .flags: 1000
        case .texts, .noTexts: 1009
        case .byteStrings: 1001
        }
    }
}

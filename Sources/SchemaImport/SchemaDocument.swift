/// The types of a GraphQL schema, as far as an app of Amplify declares models with them.
struct SchemaDocument {
    private(set) var types: [SchemaType] = []
    /// The values of enumerations, by their name.
    private(set) var enumerations: [String: [String]] = [:]

    private var tokens: ArraySlice<SchemaToken>

    /// Throws for a text that is no schema.
    init(_ source: String) throws(SchemaImportError) {
        guard let tokens = SchemaToken.all(in: source) else { throw Self.unreadable }
        self.tokens = tokens[...]
        while let token = self.tokens.popFirst() {
            switch token {
            case .name("type"): types.append(try type())
            case .name("enum"):
                let name = try name()
                _ = try directives()
                enumerations[name] = try names()
            case .name("input"), .name("interface"), .name("extend"), .name("schema"):
                try skipDeclaration()
            case .name, .sign, .text, .number: break
            }
        }
    }

    private static let unreadable = SchemaImportError(
        "the file is no GraphQL schema", help: "use the schema.graphql of the app's API")

    // MARK: - Declarations

    private mutating func type() throws(SchemaImportError) -> SchemaType {
        var type = SchemaType(name: try name())
        while case .name? = tokens.first { tokens = tokens.dropFirst() }
        type.directives = try directives()
        try expect("{")
        while tokens.first != .sign("}") {
            if case .text? = tokens.first { tokens = tokens.dropFirst() }
            type.fields.append(try field())
        }
        try expect("}")
        return type
    }

    private mutating func field() throws(SchemaImportError) -> SchemaField {
        var field = SchemaField(name: try name())
        if tokens.first == .sign("(") { _ = try value() }
        try expect(":")
        if take("[") { field.isList = true }
        field.type = try name()
        field.isRequired = take("!")
        if field.isList {
            try expect("]")
            field.isRequired = take("!")
        }
        field.directives = try directives()
        return field
    }

    private mutating func names() throws(SchemaImportError) -> [String] {
        try expect("{")
        var names: [String] = []
        while tokens.first != .sign("}") {
            if case .text? = tokens.first { tokens = tokens.dropFirst() }
            names.append(try name())
            _ = try directives()
        }
        try expect("}")
        return names
    }

    private mutating func skipDeclaration() throws(SchemaImportError) {
        while let token = tokens.first, token != .sign("{") { tokens = tokens.dropFirst() }
        if !tokens.isEmpty { _ = try value() }
    }

    // MARK: - Directives

    private mutating func directives() throws(SchemaImportError) -> [String: [SchemaToken]] {
        var directives: [String: [SchemaToken]] = [:]
        while tokens.first == .sign("@") {
            tokens = tokens.dropFirst()
            let name = try name()
            directives[name] = tokens.first == .sign("(") ? try value() : []
        }
        return directives
    }

    /// Everything from an opening sign to the closing one, both included.
    private mutating func value() throws(SchemaImportError) -> [SchemaToken] {
        let (start, open, close) = (
            tokens, Set<SchemaToken>([.sign("("), .sign("["), .sign("{")]),
            Set<SchemaToken>([.sign(")"), .sign("]"), .sign("}")])
        )
        var depth = 0
        repeat {
            guard let token = tokens.popFirst() else { throw Self.unreadable }
            if open.contains(token) { depth += 1 }
            if close.contains(token) { depth -= 1 }
        } while depth > 0
        return Array(start.prefix(start.count - tokens.count))
    }

    // MARK: - Tokens

    private mutating func name() throws(SchemaImportError) -> String {
        guard case .name(let name)? = tokens.popFirst() else { throw Self.unreadable }
        return name
    }

    /// Whether the sign comes next; then it is passed.
    private mutating func take(_ sign: Character) -> Bool {
        guard tokens.first == .sign(sign) else { return false }
        tokens = tokens.dropFirst()
        return true
    }

    private mutating func expect(_ sign: Character) throws(SchemaImportError) {
        guard tokens.popFirst() == .sign(sign) else { throw Self.unreadable }
    }
}

/// A type with the parts in parentheses of its directives, by the directive's name.
struct SchemaType {
    let name: String
    var directives: [String: [SchemaToken]] = [:]
    var fields: [SchemaField] = []
}

struct SchemaField {
    let name: String
    var type = ""
    var isList = false
    var isRequired = false
    var directives: [String: [SchemaToken]] = [:]
}

import ForeignValues

/// The three generations of clients, which are served side by side.
enum ClientGeneration: Hashable, Sendable, CaseIterable {
    /// Azure Mobile Services.
    case services
    /// Azure Mobile Apps.
    case apps
    /// Datasync 5 and 6, and the Community Toolkit.
    case datasync

    /// The name of a system property, such as `updatedAt`, in this generation.
    func name(of property: SystemProperty) -> String {
        switch self {
        case .services: "__\(property.rawValue)"
        case .apps, .datasync: property.rawValue
        }
    }

    /// The system property that a name stands for in a question. In the first generation, a name
    /// without underscores is that of a column.
    func property(named name: String) -> SystemProperty? {
        self == .services && !name.hasPrefix("__") ? nil : SystemProperty(written: name)
    }

    /// Whether rows have something else under a name than a column of the definition.
    func reserves(_ name: String) -> Bool {
        name.lowercased() == "id" || property(named: name) != nil
    }

    /// The properties that every row has.
    var standardProperties: [SystemProperty] {
        switch self {
        case .services: []
        case .apps: [.createdAt, .updatedAt, .version, .deleted]
        case .datasync: [.updatedAt, .version, .deleted]
        }
    }

    /// The rows of a page of a list if the client names no number.
    var standardRows: Int {
        switch self {
        case .services, .apps: 50
        case .datasync: 100
        }
    }
}

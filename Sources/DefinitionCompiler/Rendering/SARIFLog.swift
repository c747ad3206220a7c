/// The parts of SARIF 2.1.0 that Waggle writes, named as in the standard.
struct SARIFLog: Encodable {
    let schema =
        "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
    let version = "2.1.0"
    let runs: [SARIFRun]

    private enum CodingKeys: String, CodingKey {
        case schema = "$schema"
        case version, runs
    }
}

struct SARIFRun: Encodable {
    let tool: SARIFTool
    let invocations: [SARIFInvocation]
    /// Columns count Unicode scalars.
    let columnKind = "unicodeCodePoints"
    let artifacts: [SARIFArtifact]
    let results: [SARIFResult]
}

struct SARIFTool: Encodable {
    let driver: SARIFDriver
}

struct SARIFDriver: Encodable {
    let name: String
    let version: String
    let semanticVersion: String
    let rules: [SARIFRule]
}

struct SARIFRule: Encodable {
    let id: String
    let shortDescription: SARIFMessage
    let fullDescription: SARIFMessage
    let help: SARIFHelp
    let defaultConfiguration: SARIFConfiguration
}

struct SARIFMessage: Encodable {
    let text: String
}

struct SARIFHelp: Encodable {
    let text: String
    let markdown: String
}

struct SARIFConfiguration: Encodable {
    let level: String
}

struct SARIFInvocation: Encodable {
    let executionSuccessful: Bool
    let toolExecutionNotifications: [SARIFNotification]
}

struct SARIFNotification: Encodable {
    let level: String
    let message: SARIFMessage
    let locations: [Location]

    struct Location: Encodable {
        let physicalLocation: PhysicalLocation
    }

    struct PhysicalLocation: Encodable {
        let artifactLocation: SARIFArtifactLocation
    }
}

struct SARIFArtifact: Encodable {
    let location: SARIFArtifactLocation
    /// The size of the original document in bytes.
    let length: Int
    let mimeType: String
    let roles: [String]
}

struct SARIFArtifactLocation: Encodable {
    let uri: String
    /// An index into the run's artifacts.
    let index: Int?
}

struct SARIFResult: Encodable {
    let ruleId: String
    /// An index into the driver's rules.
    let ruleIndex: Int
    let level: String
    let message: SARIFMessage
    let locations: [SARIFLocation]
    let relatedLocations: [SARIFLocation]
}

struct SARIFLocation: Encodable {
    let physicalLocation: SARIFPhysicalLocation
    let message: SARIFMessage?
}

struct SARIFPhysicalLocation: Encodable {
    let artifactLocation: SARIFArtifactLocation
    let region: SARIFRegion
}

struct SARIFRegion: Encodable {
    let startLine: Int
    let startColumn: Int
    /// The column after the last one.
    let endColumn: Int
}

import Foundation
import Waggle

extension App {
    /// The folder of the records and the address of the server. The defaults are for development;
    /// environment variables override them.
    private static func settings(_ variables: [String: String]) throws -> Waggle.Settings {
        let address = variables["WAGGLE_SERVER"] ?? "http://127.0.0.1:8080"
        guard let server = URL(string: address), server.host() != nil else {
            throw Mistake("'\(address)' is not the address of a server")
        }
        return Waggle.Settings(
            // The environment: '.production' has other records than '.test'.
            mode: .test,
            server: server,
            // The category of this device.
            deviceCategory: variables["WAGGLE_DEVICE"] ?? "mobile",
            // One folder for each device, relative to the working directory.
            folder: URL(filePath: variables["WAGGLE_FOLDER"] ?? ".waggle"))
    }

    /// The password is neither shown nor stored. A user who signed in before can sign in without a
    /// network.
    static func signedIn() async throws -> Database {
        let variables = ProcessInfo.processInfo.environment
        let database = try Database(.dates, settings(variables))
        let login = variables["WAGGLE_LOGIN"] ?? typed("Login: ")
        let password = variables["WAGGLE_PASSWORD"] ?? typedUnseen("Password: ")
        try await database.logIn(login, password: password)
        return database
    }

    private static func typed(_ prompt: String) -> String {
        FileHandle.standardError.write(Data(prompt.utf8))
        return readLine() ?? ""
    }

    private static func typedUnseen(_ prompt: String) -> String {
        getpass(prompt).map { String(cString: $0) } ?? ""
    }
}

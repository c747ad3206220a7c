/// A user of one of the environments.
struct UserKey: Hashable {
    let environment: String
    let login: String
}

package import SyncEngine

extension AccountStore {
    /// The number of users of each of these groups. Memory holds a page of users.
    package func userCounts(
        ofGroups groups: [String], in environment: EnvironmentID
    ) async throws(StoreError) -> [String: Int] {
        guard !groups.isEmpty else { return [:] }
        var counts: [String: Int] = [:]
        try await readPages(of: environment) { users in
            for listed in users where groups.contains(listed.user.group) {
                counts[listed.user.group, default: 0] += 1
            }
        }
        return counts
    }

    /// Reads all users in pages, in the order of the bytes of their logins.
    func readPages(
        of environment: EnvironmentID, _ body: ([ListedUser]) -> Void
    ) async throws(StoreError) {
        var last = ""
        while true {
            let query = UserQuery(environment: environment, after: last, limit: 1000)
            let users = try await self.users(matching: query)
            body(users)
            guard users.count == query.limit, let login = users.last?.login else { return }
            last = login
        }
    }
}

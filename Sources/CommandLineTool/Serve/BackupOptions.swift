import ArgumentParser

/// Options for regular backups; see `ServeSettings`.
struct BackupOptions: ParsableArguments {
    @Option(ServeSettings.backupFolder) var backupFolder: String?
    @Option(ServeSettings.backupEveryHours) var backupEveryHours: Int?
    @Option(ServeSettings.backupKeep) var backupKeep: Int?

    /// Nil if no folder is given.
    func schedule(_ settings: ResolvedSettings) async throws -> BackupSchedule? {
        let folder = try await settings.value(
            of: ServeSettings.backupFolder, given: backupFolder)
        let schedule = BackupSchedule(
            folder: folder,
            everyHours: try await settings.value(
                of: ServeSettings.backupEveryHours, given: backupEveryHours),
            keep: try await settings.value(of: ServeSettings.backupKeep, given: backupKeep))
        guard !folder.isEmpty else { return nil }
        try schedule.prepare()
        return schedule
    }
}

import Simulation

// Clients with a rule of app updates disabled.

extension DeviceMutant {
    static let updates = [
        DeviceMutant(
            "an update drops unsent edits", breaks: [.clientKeepsWhatIsSaved],
            trigger: """
                AFTER INSERT ON state WHEN NEW.key = 'fingerprint' BEGIN
                DELETE FROM changes WHERE state = 'waiting'
                """),
        DeviceMutant(
            "an update keeps the former names of unsent edits", breaks: [.clientKeepsWhatIsSaved],
            trigger: "BEFORE UPDATE OF model ON changes BEGIN SELECT RAISE(IGNORE)"),
        DeviceMutant(
            "an update keeps the former names of records", breaks: [.clientHoldsWhatItGot],
            trigger: """
                BEFORE UPDATE ON records WHEN NEW.model <> OLD.model BEGIN
                SELECT RAISE(IGNORE)
                """),
        DeviceMutant(
            "an update lets the device start over", breaks: [.clientHoldsWhatItGot],
            trigger: """
                AFTER INSERT ON state WHEN NEW.key = 'fingerprint' BEGIN
                DELETE FROM state WHERE key = 'cursor'
                """),
        DeviceMutant("an updated app names its former version", breaks: [.everyAppIsUnderstood]) {
            $0.staysOfFirstVersion = true
        },
    ]
}

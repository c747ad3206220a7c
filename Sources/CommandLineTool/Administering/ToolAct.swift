/// Acts of the tool that are no operations of the administration over HTTP. The others have the
/// names of `AdminOperation` in the activity log.
enum ToolAct: String, CaseIterable {
    case backup, restore, copy
    case sweep, saveRefused, removeRefused
}

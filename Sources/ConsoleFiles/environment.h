// The files of the pages of environments and of the server.
    {"modules/account-dialogs.js", (const unsigned char[]){
#embed "modules/account-dialogs.js" suffix(, 0)
    }},
    {"modules/activity-page.js", (const unsigned char[]){
#embed "modules/activity-page.js" suffix(, 0)
    }},
    {"modules/chart.js", (const unsigned char[]){
#embed "modules/chart.js" suffix(, 0)
    }},
    {"modules/column-chooser.js", (const unsigned char[]){
#embed "modules/column-chooser.js" suffix(, 0)
    }},
    {"modules/conflict-count.js", (const unsigned char[]){
#embed "modules/conflict-count.js" suffix(, 0)
    }},
    {"modules/conflict-view.js", (const unsigned char[]){
#embed "modules/conflict-view.js" suffix(, 0)
    }},
    {"modules/conflicts-page.js", (const unsigned char[]){
#embed "modules/conflicts-page.js" suffix(, 0)
    }},
    {"modules/definition.js", (const unsigned char[]){
#embed "modules/definition.js" suffix(, 0)
    }},
    {"modules/deployments-page.js", (const unsigned char[]){
#embed "modules/deployments-page.js" suffix(, 0)
    }},
    {"modules/devices-page.js", (const unsigned char[]){
#embed "modules/devices-page.js" suffix(, 0)
    }},
    {"modules/exact.js", (const unsigned char[]){
#embed "modules/exact.js" suffix(, 0)
    }},
    {"modules/exchange-dialog.js", (const unsigned char[]){
#embed "modules/exchange-dialog.js" suffix(, 0)
    }},
    {"modules/explain-page.js", (const unsigned char[]){
#embed "modules/explain-page.js" suffix(, 0)
    }},
    {"modules/files-page.js", (const unsigned char[]){
#embed "modules/files-page.js" suffix(, 0)
    }},
    {"modules/filter-builder.js", (const unsigned char[]){
#embed "modules/filter-builder.js" suffix(, 0)
    }},
    {"modules/live.js", (const unsigned char[]){
#embed "modules/live.js" suffix(, 0)
    }},
    {"modules/metric-series.js", (const unsigned char[]){
#embed "modules/metric-series.js" suffix(, 0)
    }},
    {"modules/metrics-page.js", (const unsigned char[]){
#embed "modules/metrics-page.js" suffix(, 0)
    }},
    {"modules/notifications-page.js", (const unsigned char[]){
#embed "modules/notifications-page.js" suffix(, 0)
    }},
    {"modules/operators-page.js", (const unsigned char[]){
#embed "modules/operators-page.js" suffix(, 0)
    }},
    {"modules/overview-page.js", (const unsigned char[]){
#embed "modules/overview-page.js" suffix(, 0)
    }},
    {"modules/paged.js", (const unsigned char[]){
#embed "modules/paged.js" suffix(, 0)
    }},
    {"modules/phone-view.js", (const unsigned char[]){
#embed "modules/phone-view.js" suffix(, 0)
    }},
    {"modules/phone.js", (const unsigned char[]){
#embed "modules/phone.js" suffix(, 0)
    }},
    {"modules/phones-page.js", (const unsigned char[]){
#embed "modules/phones-page.js" suffix(, 0)
    }},
    {"modules/record-cells.js", (const unsigned char[]){
#embed "modules/record-cells.js" suffix(, 0)
    }},
    {"modules/record-panel.js", (const unsigned char[]){
#embed "modules/record-panel.js" suffix(, 0)
    }},
    {"modules/records-page.js", (const unsigned char[]){
#embed "modules/records-page.js" suffix(, 0)
    }},
    {"modules/scopes.js", (const unsigned char[]){
#embed "modules/scopes.js" suffix(, 0)
    }},
    {"modules/stale.js", (const unsigned char[]){
#embed "modules/stale.js" suffix(, 0)
    }},
    {"modules/tokens-page.js", (const unsigned char[]){
#embed "modules/tokens-page.js" suffix(, 0)
    }},
    {"modules/user-field.js", (const unsigned char[]){
#embed "modules/user-field.js" suffix(, 0)
    }},
    {"modules/users-page.js", (const unsigned char[]){
#embed "modules/users-page.js" suffix(, 0)
    }},
    {"modules/values.js", (const unsigned char[]){
#embed "modules/values.js" suffix(, 0)
    }},
    {"modules/views.js", (const unsigned char[]){
#embed "modules/views.js" suffix(, 0)
    }},
    {"styles/environment.css", (const unsigned char[]){
#embed "styles/environment.css" suffix(, 0)
    }},

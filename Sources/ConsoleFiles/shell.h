// The files of every page. An entry is a path and its file, which ends with a zero.
    {"images/waggle.svg", (const unsigned char[]){
#embed "images/waggle.svg" suffix(, 0)
    }},
    {"modules/api.js", (const unsigned char[]){
#embed "modules/api.js" suffix(, 0)
    }},
    {"modules/create-pages.js", (const unsigned char[]){
#embed "modules/create-pages.js" suffix(, 0)
    }},
    {"modules/curl-dialog.js", (const unsigned char[]){
#embed "modules/curl-dialog.js" suffix(, 0)
    }},
    {"modules/dialog.js", (const unsigned char[]){
#embed "modules/dialog.js" suffix(, 0)
    }},
    {"modules/dom.js", (const unsigned char[]){
#embed "modules/dom.js" suffix(, 0)
    }},
    {"modules/environment-pages.js", (const unsigned char[]){
#embed "modules/environment-pages.js" suffix(, 0)
    }},
    {"modules/focus.js", (const unsigned char[]){
#embed "modules/focus.js" suffix(, 0)
    }},
    {"modules/go-to.js", (const unsigned char[]){
#embed "modules/go-to.js" suffix(, 0)
    }},
    {"modules/icons.js", (const unsigned char[]){
#embed "modules/icons.js" suffix(, 0)
    }},
    {"modules/long-select.js", (const unsigned char[]){
#embed "modules/long-select.js" suffix(, 0)
    }},
    {"modules/pages.js", (const unsigned char[]){
#embed "modules/pages.js" suffix(, 0)
    }},
    {"modules/requests.js", (const unsigned char[]){
#embed "modules/requests.js" suffix(, 0)
    }},
    {"modules/save-file.js", (const unsigned char[]){
#embed "modules/save-file.js" suffix(, 0)
    }},
    {"modules/session-dialogs.js", (const unsigned char[]){
#embed "modules/session-dialogs.js" suffix(, 0)
    }},
    {"modules/session.js", (const unsigned char[]){
#embed "modules/session.js" suffix(, 0)
    }},
    {"modules/setup-page.js", (const unsigned char[]){
#embed "modules/setup-page.js" suffix(, 0)
    }},
    {"modules/shell.js", (const unsigned char[]){
#embed "modules/shell.js" suffix(, 0)
    }},
    {"modules/sign-in-page.js", (const unsigned char[]){
#embed "modules/sign-in-page.js" suffix(, 0)
    }},
    {"modules/sign-out.js", (const unsigned char[]){
#embed "modules/sign-out.js" suffix(, 0)
    }},
    {"modules/start-page.js", (const unsigned char[]){
#embed "modules/start-page.js" suffix(, 0)
    }},
    {"modules/states.js", (const unsigned char[]){
#embed "modules/states.js" suffix(, 0)
    }},
    {"modules/table.js", (const unsigned char[]){
#embed "modules/table.js" suffix(, 0)
    }},
    {"modules/theme.js", (const unsigned char[]){
#embed "modules/theme.js" suffix(, 0)
    }},
    {"modules/upload.js", (const unsigned char[]){
#embed "modules/upload.js" suffix(, 0)
    }},
    {"pages/frame.html", (const unsigned char[]){
#embed "pages/frame.html" suffix(, 0)
    }},
    {"pages/missing.html", (const unsigned char[]){
#embed "pages/missing.html" suffix(, 0)
    }},
    {"pages/setup.html", (const unsigned char[]){
#embed "pages/setup.html" suffix(, 0)
    }},
    {"pages/sign-in.html", (const unsigned char[]){
#embed "pages/sign-in.html" suffix(, 0)
    }},
    {"styles/base.css", (const unsigned char[]){
#embed "styles/base.css" suffix(, 0)
    }},
    {"styles/start.css", (const unsigned char[]){
#embed "styles/start.css" suffix(, 0)
    }},

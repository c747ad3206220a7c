// The files of the pages to create an application.
    {"modules/checked.js", (const unsigned char[]){
#embed "modules/checked.js" suffix(, 0)
    }},
    {"modules/create-frame.js", (const unsigned char[]){
#embed "modules/create-frame.js" suffix(, 0)
    }},
    {"modules/deploy.js", (const unsigned char[]){
#embed "modules/deploy.js" suffix(, 0)
    }},
    {"modules/deployed-names.js", (const unsigned char[]){
#embed "modules/deployed-names.js" suffix(, 0)
    }},
    {"modules/designers.js", (const unsigned char[]){
#embed "modules/designers.js" suffix(, 0)
    }},
    {"modules/diagram-page.js", (const unsigned char[]){
#embed "modules/diagram-page.js" suffix(, 0)
    }},
    {"modules/download-page.js", (const unsigned char[]){
#embed "modules/download-page.js" suffix(, 0)
    }},
    {"modules/draft-storage.js", (const unsigned char[]){
#embed "modules/draft-storage.js" suffix(, 0)
    }},
    {"modules/draft.js", (const unsigned char[]){
#embed "modules/draft.js" suffix(, 0)
    }},
    {"modules/drafts.js", (const unsigned char[]){
#embed "modules/drafts.js" suffix(, 0)
    }},
    {"modules/dry-run.js", (const unsigned char[]){
#embed "modules/dry-run.js" suffix(, 0)
    }},
    {"modules/field-editor.js", (const unsigned char[]){
#embed "modules/field-editor.js" suffix(, 0)
    }},
    {"modules/field-limits.js", (const unsigned char[]){
#embed "modules/field-limits.js" suffix(, 0)
    }},
    {"modules/groups-page.js", (const unsigned char[]){
#embed "modules/groups-page.js" suffix(, 0)
    }},
    {"modules/held-button.js", (const unsigned char[]){
#embed "modules/held-button.js" suffix(, 0)
    }},
    {"modules/illegible.js", (const unsigned char[]){
#embed "modules/illegible.js" suffix(, 0)
    }},
    {"modules/lined-text.js", (const unsigned char[]){
#embed "modules/lined-text.js" suffix(, 0)
    }},
    {"modules/mode-picture.js", (const unsigned char[]){
#embed "modules/mode-picture.js" suffix(, 0)
    }},
    {"modules/models-page.js", (const unsigned char[]){
#embed "modules/models-page.js" suffix(, 0)
    }},
    {"modules/new-application.js", (const unsigned char[]){
#embed "modules/new-application.js" suffix(, 0)
    }},
    {"modules/new-definition.js", (const unsigned char[]){
#embed "modules/new-definition.js" suffix(, 0)
    }},
    {"modules/open-draft.js", (const unsigned char[]){
#embed "modules/open-draft.js" suffix(, 0)
    }},
    {"modules/outline.js", (const unsigned char[]){
#embed "modules/outline.js" suffix(, 0)
    }},
    {"modules/packed-outline.js", (const unsigned char[]){
#embed "modules/packed-outline.js" suffix(, 0)
    }},
    {"modules/reach.js", (const unsigned char[]){
#embed "modules/reach.js" suffix(, 0)
    }},
    {"modules/remove-draft.js", (const unsigned char[]){
#embed "modules/remove-draft.js" suffix(, 0)
    }},
    {"modules/rights-changes.js", (const unsigned char[]){
#embed "modules/rights-changes.js" suffix(, 0)
    }},
    {"modules/rights-grid.js", (const unsigned char[]){
#embed "modules/rights-grid.js" suffix(, 0)
    }},
    {"modules/rights-page.js", (const unsigned char[]){
#embed "modules/rights-page.js" suffix(, 0)
    }},
    {"modules/risks.js", (const unsigned char[]){
#embed "modules/risks.js" suffix(, 0)
    }},
    {"modules/simulate-page.js", (const unsigned char[]){
#embed "modules/simulate-page.js" suffix(, 0)
    }},
    {"modules/simulation-outcome.js", (const unsigned char[]){
#embed "modules/simulation-outcome.js" suffix(, 0)
    }},
    {"modules/simulation.js", (const unsigned char[]){
#embed "modules/simulation.js" suffix(, 0)
    }},
    {"modules/text-change.js", (const unsigned char[]){
#embed "modules/text-change.js" suffix(, 0)
    }},
    {"modules/versions-page.js", (const unsigned char[]){
#embed "modules/versions-page.js" suffix(, 0)
    }},
    {"modules/xml-page.js", (const unsigned char[]){
#embed "modules/xml-page.js" suffix(, 0)
    }},
    {"styles/create.css", (const unsigned char[]){
#embed "styles/create.css" suffix(, 0)
    }},

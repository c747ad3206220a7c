/// Functions in JavaScript that find elements as people do: by what is to be seen, and by name.
let pageScript = #"""
    const isShown = (e) => e.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    const words = (text) => (text ?? '').replace(/\s+/g, ' ').trim()
    const textWithout = (e, control) => words([...e.childNodes].map((node) =>
      node === control || (node.nodeType === 1 && node.contains(control)) ? '' : node.textContent
    ).join(' '))
    const nameOf = (e) => {
      const by = e.getAttribute('aria-labelledby')
      const text = (id) => document.getElementById(id)?.textContent
      if (by) return words(by.split(' ').map(text).join(' '))
      if (e.hasAttribute('aria-label')) return words(e.getAttribute('aria-label'))
      if (e.labels?.length) return textWithout(e.labels[0], e)
      if (e.matches('fieldset')) return words(e.querySelector('legend')?.textContent)
      if (e.matches('table')) return words(e.caption?.textContent)
      if (e.matches('section, dialog, details, li, tr')) {
        return words(e.querySelector('h1, h2, h3, summary, th[scope=row], a, b')?.textContent)
      }
      return words(e.textContent) || words(e.getAttribute('title') ?? '')
    }
    const AREAS = 'section, fieldset, dialog, form, table, tr, li, details, nav, main, [role]'
    const area = (name) => {
      if (name === null) return document
      const all = [...document.querySelectorAll(AREAS)]
        .filter((e) => isShown(e) && nameOf(e) === name)
      return all.find((e) => e.closest('main, dialog')) ?? all[0]
    }
    const dialogOrPage = () => document.querySelector('dialog[open]') ?? document
    const among = (selector, name, areaName) => {
      const root = areaName === null ? dialogOrPage() : area(areaName)
      const all = [...(root?.querySelectorAll(selector) ?? [])]
        .filter((e) => isShown(e) && nameOf(e) === name && !e.disabled)
      return all.find((e) => e.closest('main, dialog')) ?? all[0]
    }
    const BUTTONS = 'button, a[href], summary, [role=button], [role=switch], [role=tab], ' +
      'input[type=checkbox], input[type=radio], [role=option]'
    const FIELDS = 'input:not([type=checkbox]):not([type=radio]), textarea, select'
    const button = (name, areaName) => among(BUTTONS, name, areaName)
    const field = (name, areaName) => among(FIELDS, name, areaName)
    const isRead = () =>
      document.querySelector('#rail a') && !document.querySelector('[aria-busy]')
    const shows = (text, areaName) => {
      const root = areaName === null ? document.body : area(areaName)
      return root !== undefined && root !== null && words(root.innerText).includes(text)
    }
    const isOf = (e, hit) => e.contains(hit) || hit?.closest('label')?.control === e
    const placeOf = (e) => {
      if (!e) return null
      const { left, top, width, height } = e.getClientRects()[0]
      const place = { x: left + width / 2, y: top + height / 2 }
      if (!isOf(e, document.elementFromPoint(place.x, place.y))) {
        e.scrollIntoView({ block: 'center', behavior: 'instant' })
        return null
      }
      const isStill = e.lastPlace?.x === place.x && e.lastPlace?.y === place.y
      e.lastPlace = place
      return isStill && place
    }
    // Chromium joins a letter to those that were typed into the same list up to a second before.
    const noteLetter = (list) => {
      if (list) list.lastLetter = performance.now()
    }
    const takesNewWord = (list) => list && !(performance.now() - list.lastLetter < 1200)
    const watchClick = (e) => {
      globalThis.hasClicked = false
      const name = e && nameOf(e)
      // The page may have drawn the same button anew meanwhile.
      const isSame = (hit) => hit && !e.isConnected && nameOf(hit) === name
      addEventListener('click', ({ target }) => {
        if (e && (isOf(e, target) || isSame(target.closest(BUTTONS)))) globalThis.hasClicked = true
      }, { capture: true, once: true })
    }

    """#

/// A script that waits until an expression has a value. It looks after each change of the document,
/// and now and then for what changes besides, such as the state of a control.
func waitingScript(for expression: String) -> String {
    """
    return await new Promise((resolve, reject) => {
      const end = performance.now() + \(Program.deadlineSeconds * 1000)
      // Not at once: what the page does after a change may follow in the same task.
      let next = 0
      const watch = new MutationObserver(() => { next ||= setTimeout(() => look()) })
      const beat = setInterval(() => look(), 50)
      const finish = (how, what) => {
        watch.disconnect()
        clearInterval(beat)
        how(what)
      }
      let fault = 'nothing'
      const look = () => {
        next = 0
        try {
          const found = (\(expression))
          if (found) finish(resolve, found)
        } catch (error) {
          fault = error
        }
        if (performance.now() > end) finish(reject, new Error(`waited in vain: ${fault}`))
      }
      watch.observe(document, {
        subtree: true, childList: true, attributes: true, characterData: true })
      look()
    })
    """
}

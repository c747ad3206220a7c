/// The checks of every page beside axe: the contrast of all texts, also of single letters, the
/// names of controls, their sizes, larger ones for fingers, and that nothing is wider than the
/// window. Returns findings.
let pageChecks = #"""
    const findings = []
    const pen = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })
    const channels = (color) => {
      pen.clearRect(0, 0, 1, 1)
      pen.fillStyle = color
      pen.fillRect(0, 0, 1, 1)
      return [...pen.getImageData(0, 0, 1, 1).data]
    }
    const linear = (c) => c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4
    const luminance = ([r, g, b]) =>
      0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b)
    const background = (e) => {
      for (; e; e = e.parentElement) {
        const color = channels(getComputedStyle(e).backgroundColor)
        if (color[3] > 0) return color
      }
      return [255, 255, 255, 255]
    }
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) {
      const e = texts.currentNode.parentElement, text = words(texts.currentNode.data)
      if (!text || !isShown(e) || e.closest('.unseen, .skip, option, script, :disabled')) continue
      const pair = [luminance(channels(getComputedStyle(e).color)), luminance(background(e))]
      const ratio = (Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05)
      if (ratio < 4.5) findings.push(`contrast ${ratio.toFixed(2)}: ${text.slice(0, 40)}`)
    }
    const controls = 'input, select, textarea, button, a[href], summary, [tabindex="0"]'
    const high = 'button, select, summary, textarea'
    const least = matchMedia('(pointer: coarse)').matches ? 44 : 24
    for (const e of document.querySelectorAll(controls)) {
      if (!isShown(e) || e.closest('.skip')) continue
      if (!nameOf(e)) findings.push(`no name: ${e.outerHTML.slice(0, 80)}`)
      const { width, height } = e.getBoundingClientRect()
      if (e.matches(high) && (width < 24 || height < least)) {
        findings.push(`${width} x ${height}: ${nameOf(e)}`)
      }
    }
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth > clientWidth) findings.push(`${scrollWidth} px in a window of ${clientWidth}`)
    for (const e of document.querySelectorAll('header, main, dialog')) {
      if (e.scrollWidth > clientWidth) findings.push(`${e.tagName} has ${e.scrollWidth} px`)
    }
    return findings
    """#

/// Moves the focus by Tab through the whole page, and finds what does not show that it has it.
/// `visited` collects the elements across calls; returns null at the end of the page.
let focusCheck = #"""
    const e = document.activeElement
    const visited = (globalThis.visited ??= new Set())
    if (e === document.body || visited.has(e)) return null
    visited.add(e)
    const { outlineStyle, outlineWidth } = getComputedStyle(e)
    const isSeen = outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2
    const { top, bottom } = e.getBoundingClientRect()
    const isInWindow = bottom > 0 && top < innerHeight
    return isSeen && isInWindow ? '' : `no focus to be seen: ${e.tagName} ${nameOf(e)}`
    """#

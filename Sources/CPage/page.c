#include "CPage.h"

// Before C23, #embed is an extension of this compiler.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const struct page_file page_files[] = {
#define NAME address.js
#include "embed.h"
#define NAME begin.js
#include "embed.h"
#define NAME branch.js
#include "embed.h"
#define NAME camera.js
#include "embed.h"
#define NAME changelabels.js
#include "embed.h"
#define NAME changelayer.js
#include "embed.h"
#define NAME changes.css
#include "embed.h"
#define NAME changes.js
#include "embed.h"
#define NAME changesymbols.js
#include "embed.h"
#define NAME changeview.js
#include "embed.h"
#define NAME charts.js
#include "embed.h"
#define NAME classes.js
#include "embed.h"
#define NAME comparison.js
#include "embed.h"
#define NAME deletion.js
#include "embed.h"
#define NAME drawer.js
#include "embed.h"
#define NAME early.js
#include "embed.h"
#define NAME embedded.js
#include "embed.h"
#define NAME favourites.js
#include "embed.h"
#define NAME files.js
#include "embed.h"
#define NAME filetypes.js
#include "embed.h"
#define NAME film.js
#include "embed.h"
#define NAME filmsheet.js
#include "embed.h"
#define NAME filterview.js
#include "embed.h"
#define NAME follow.js
#include "embed.h"
#define NAME geo.js
#include "embed.h"
#define NAME gpx.js
#include "embed.h"
#define NAME ground.js
#include "embed.h"
#define NAME history.js
#include "embed.h"
#define NAME index.html
#include "embed.h"
#define NAME input.js
#include "embed.h"
#define NAME kept.js
#include "embed.h"
#define NAME labels.js
#include "embed.h"
#define NAME land.js
#include "embed.h"
#define NAME layers.js
#include "embed.h"
#define NAME lazy.js
#include "embed.h"
#define NAME legend.js
#include "embed.h"
#define NAME lettering.js
#include "embed.h"
#define NAME level.js
#include "embed.h"
#define NAME library.js
#include "embed.h"
#define NAME live.js
#include "embed.h"
#define NAME main.js
#include "embed.h"
#define NAME map.js
#include "embed.h"
#define NAME marks.js
#include "embed.h"
#define NAME matches.js
#include "embed.h"
#define NAME mercator.js
#include "embed.h"
#define NAME momentsums.js
#include "embed.h"
#define NAME overview.js
#include "embed.h"
#define NAME palette.js
#include "embed.h"
#define NAME panel.js
#include "embed.h"
#define NAME people.js
#include "embed.h"
#define NAME places.js
#include "embed.h"
#define NAME placing.js
#include "embed.h"
#define NAME player.js
#include "embed.h"
#define NAME pmtiles.js
#include "embed.h"
#define NAME polylines.js
#include "embed.h"
#define NAME profile.js
#include "embed.h"
#define NAME prominence.js
#include "embed.h"
#define NAME published.js
#include "embed.h"
#define NAME replay.js
#include "embed.h"
#define NAME ruler.js
#include "embed.h"
#define NAME rules.js
#include "embed.h"
#define NAME samples.js
#include "embed.h"
#define NAME saves.js
#include "embed.h"
#define NAME scale.js
#include "embed.h"
#define NAME schedule.js
#include "embed.h"
#define NAME sea.js
#include "embed.h"
#define NAME search.js
#include "embed.h"
#define NAME searches.js
#include "embed.h"
#define NAME selection.js
#include "embed.h"
#define NAME server.js
#include "embed.h"
#define NAME settings.js
#include "embed.h"
#define NAME shapes.js
#include "embed.h"
#define NAME source.js
#include "embed.h"
#define NAME span.js
#include "embed.h"
#define NAME start.js
#include "embed.h"
#define NAME static.js
#include "embed.h"
#define NAME style.css
#include "embed.h"
#define NAME summary.js
#include "embed.h"
#define NAME symbols.js
#include "embed.h"
#define NAME taken.js
#include "embed.h"
#define NAME tiles.js
#include "embed.h"
#define NAME time.css
#include "embed.h"
#define NAME timebar.js
#include "embed.h"
#define NAME timelayer.js
#include "embed.h"
#define NAME timelights.js
#include "embed.h"
#define NAME timeline.js
#include "embed.h"
#define NAME timenames.js
#include "embed.h"
#define NAME timescale.js
#include "embed.h"
#define NAME timetiles.js
#include "embed.h"
#define NAME trackjson.js
#include "embed.h"
#define NAME tracklayer.js
#include "embed.h"
#define NAME values.js
#include "embed.h"
};

size_t page_file_count(void) { return sizeof page_files / sizeof page_files[0]; }

struct page_file page_file_at(size_t index) { return page_files[index]; }

"""The models that stand for the whole catalogue where each of them is drawn, rendered or run through a page.

Counts, totals, parts and caches are tested on every model. What a figure shows depends on the shape of a parts list, which the config's
type decides: so the figures are tested on the six reference models, which every page offers first, and on the first model of each type.
"""

from calc.catalogue import catalogue

_first_of_type: dict[object, str] = {}
for _name, _model in catalogue().items():
    _first_of_type.setdefault(_model.config["model_type"], _name)

SAMPLE = tuple(name for name in catalogue() if name in {*list(catalogue())[:6], *_first_of_type.values()})
"""Names, in the catalogue's order."""

"""The cost model: reads scheduled loop IR, predicts its time, and says why it is slow.

cost = predict(function, target)
print(cost)                      # a table: loops, cycles, registers, transfers between caches
cost.seconds, cost.roofline_share
"""

from .model import BodyCost as BodyCost
from .model import Cost as Cost
from .model import predict as predict

"""A rope is dragged over a fixed cylinder: the pull grows as exp(mu angle), the law of Euler and Eytelwein.

python demos/capstan.py
"""

import math
from itertools import pairwise

import chrono_powercontact as pc

chrono = pc.need_pychrono()  # import pychrono as chrono, or exit with one sentence
fea = pc.need_pychrono("fea")  # import pychrono.fea as fea

MU, HELD, SPEED = 0.3, 10.0, 5e-3  # friction, N at the slack end, m/s
DRUM, RADIUS, PIECES = 0.1, 0.005, 18  # m, m, elements over the half turn
TURN = math.pi / PIECES

system = chrono.ChSystemSMC()
system.SetGravitationalAcceleration(chrono.ChVector3d(0, 0, 0))
system.SetSolverType(chrono.ChSolver.Type_SPARSE_LU)
drum, puller = chrono.ChBody(), chrono.ChBody()
drum.SetFixed(True)

a = DRUM + RADIUS
piece = 2 * a * math.sin(TURN / 2)
up = [(-a, -i * piece) for i in range(8, 0, -1)]
over = [(-a * math.cos(i * TURN), a * math.sin(i * TURN)) for i in range(PIECES + 1)]
down = [(a, -i * piece) for i in range(1, 9)]
mesh = fea.ChMesh()
nodes = [fea.ChNodeFEAxyz(chrono.ChVector3d(x, 0, z)) for x, z in up + over + down]
for node in nodes:
    mesh.AddNode(node)
for first, second in pairwise(nodes):
    bar = fea.ChElementBar()
    bar.SetNodes(first, second)
    bar.SetArea(math.pi * RADIUS**2)
    bar.SetDensity(1000)
    bar.SetYoungModulus(1e8)
    bar.SetRayleighDamping(1e-3)
    mesh.AddElement(bar)
nodes[0].SetForce(chrono.ChVector3d(0, 0, -HELD))
puller.SetPos(nodes[-1].GetPos())
motor, hook = chrono.ChLinkMotorLinearSpeed(), fea.ChLinkNodeFrame()
motor.Initialize(puller, drum, chrono.ChFramed(puller.GetPos()))
motor.SetSpeedFunction(chrono.ChFunctionConst(-SPEED))
hook.Initialize(nodes[-1], puller)
for item in (drum, puller, mesh, motor, hook):
    system.Add(item)

material = pc.Material(pc.Hooke(0.0, 1e5, 5.0), pc.Friction(MU, MU, 1e-3), pc.Anchor(2e-5))
pc.attach(system).add_nodes(nodes, pc.Cylinder(drum, DRUM, 0.2, axis=(0, 1, 0)), material, radius=RADIUS)
while system.GetChTime() < 0.5:
    system.DoStepDynamics(5e-4)

pull = hook.GetReaction2().force.z
print(f"{pull:.4f} N drag what {HELD} N hold; exp(mu angle) gives {HELD * math.exp(MU * math.pi):.4f} N")
assert abs(pull / (HELD * math.exp(MU * math.pi)) - 1.0) < 0.01

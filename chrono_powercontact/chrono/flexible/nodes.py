"""Finite element nodes of a Chrono system: which there are, and whether they are still where they were."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from ...errors import ParameterError, SystemChangedError, shown
from ..api.bridge import address, belongs, pychrono_part


class NodeSet(NamedTuple):
    """Nodes and the meshes that hold them, with the number of nodes of each mesh.

    Attributes:
        nodes: typed as Chrono's loads need them. meshes: in the system. counts: of the nodes of each mesh.
    """

    nodes: list[Any]
    meshes: list[Any]
    counts: list[int]

    def check(self, system: Any) -> None:
        """Raise if a mesh or nodes have left the system: forces would be written to stale memory."""
        for mesh, count in zip(self.meshes, self.counts, strict=True):
            if not belongs(mesh, system) or mesh.GetNumNodes() != count:
                raise SystemChangedError(
                    "a mesh whose nodes are in contact has left the system or has changed its nodes: call remove() on "
                    "what add_nodes or add_beam returned first"
                )


def typed(node: Any) -> Any:
    """A node as an object of the class that Chrono's loads need; raises for anything else."""
    fea = pychrono_part("fea")
    kinds = (fea.ChNodeFEAxyzrot, fea.ChNodeFEAxyz)
    if isinstance(node, kinds):
        return node
    if isinstance(node, fea.ChNodeFEAbase):
        for kind in kinds:
            cast = getattr(fea, f"CastTo{kind.__name__}")(node)
            if cast is not None:
                return cast
    raise ParameterError(f"a node must be a ChNodeFEAxyz or a ChNodeFEAxyzrot, or derived from one, got {shown(node)}")


def turns(node: Any) -> bool:
    """Whether a node has a rotation."""
    return isinstance(node, pychrono_part("fea").ChNodeFEAxyzrot)


def _given(nodes: Any) -> list[Any]:
    """The nodes that a user gave: those of a mesh, or a sequence."""
    fea = pychrono_part("fea")
    if isinstance(nodes, fea.ChMesh):
        return [typed(node) for node in nodes.GetNodes()]
    if not isinstance(nodes, Iterable):
        raise ParameterError(f"nodes must be a ChMesh or a sequence of its nodes, got {shown(nodes)}")
    return [typed(node) for node in nodes]


def find_nodes(system: Any, nodes: Any, fewest: int = 1) -> NodeSet:
    """The nodes that a user gave, with the meshes of the system that hold them."""
    given = _given(nodes)
    if len(given) < fewest:
        raise ParameterError(f"nodes must be at least {fewest}, got {len(given)}")
    wanted = {address(node) for node in given}
    if len(wanted) < len(given):
        raise ParameterError("nodes must all be different, got one of them twice")
    meshes = []
    for mesh in system.GetMeshes():
        own = {address(node) for node in mesh.GetNodes()}
        if own & wanted:
            meshes.append(mesh)
            wanted -= own
    if wanted:
        raise ParameterError(
            f"{len(wanted)} of {len(given)} nodes are in no mesh of this system: call mesh.AddNode(node) and "
            "system.Add(mesh) first"
        )
    return NodeSet(given, meshes, [int(mesh.GetNumNodes()) for mesh in meshes])

import chrono_powercontact as pc
from chrono_powercontact.chrono.takeover.materials.material_table import MaterialRow, MaterialTable
from chrono_powercontact.laws.material_design import Chosen

MATERIAL = pc.Material(pc.Restriction(0.0, -1e-3, 400.0, 3.0))


def test_a_row_tells_numbers_units_and_sources():
    row = MaterialRow(
        ("cube", "floor"), MATERIAL, {"friction": Chosen(0.5, "", "given"), "penetration": Chosen(1e-4, "m", "why")}
    )
    assert row["friction"] == 0.5
    assert str(row).splitlines()[0] == "cube and floor"
    assert "penetration  0.0001 m       why" in str(row)


def test_a_table_is_a_sequence_of_rows():
    rows = MaterialRow(("a", "b"), MATERIAL), MaterialRow(("a", "c"), MATERIAL)
    table = MaterialTable(rows)
    assert len(table) == 2
    assert list(table) == list(rows)
    assert table[1] is rows[1]
    assert "a and b\n  Material(normal=Restriction" in repr(table)


def test_an_empty_table_says_so():
    assert repr(MaterialTable(())) == "no bodies have come near each other yet"

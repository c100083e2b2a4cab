"""Networks with continuous nodes, and cuts that use other columns."""

import pickle

import numpy as np
import pytest

import ossature


def clinic():
    """height and sick are the parents of weight."""
    def node(name, parents, **more):
        return {"name": name, "levels": [], "cuts": None, "missing_level": None, "parents": parents, **more}

    def line(intercept, coefficients, sd):
        return {"intercept": intercept, "coefficients": coefficients, "sd": sd}

    import json

    model = {
        "model": "ossature", "format": 1, "version": "0.1.0", "nodes": ["height", "sick", "weight"],
        "arcs": [["height", "weight"], ["sick", "weight"]], "missing_tokens": [""],
        "variables": [
            node("height", [], kind="continuous", regressions=[line(170.0, [], 8.0)]),
            {**node("sick", [], kind="discrete", table=[[0.75, 0.25]]), "levels": ["no", "yes"]},
            node("weight", ["height", "sick"], kind="continuous",
                 regressions=[line(-80.0, [0.9], 5.0), line(-100.0, [1.0], 10.0)]),
        ],
    }
    return ossature.Network.from_model(json.dumps(model))


def test_the_parameters_are_shown():
    network = clinic()
    assert network.kinds == {"height": "continuous", "sick": "discrete", "weight": "continuous"}
    weight = network.regression("weight")
    assert (weight.parents, weight.given, weight.given_levels) == (("height",), ("sick",), (("no", "yes"),))
    assert weight.intercept.tolist() == [-80.0, -100.0]
    assert weight.coefficients.tolist() == [[0.9], [1.0]]
    assert weight.sd.tolist() == [5.0, 10.0]
    assert ">yes</td>" in weight._repr_html_()
    assert network.regression("height").coefficients.shape == (0,)
    assert weight == pickle.loads(pickle.dumps(network)).regression("weight")
    with pytest.raises(ossature.DataError, match="has levels"):
        network.regression("sick")
    with pytest.raises(ossature.DataError, match="is continuous"):
        network.table("weight")
    assert 'rx="14"' in network.to_svg()
    assert "This network has continuous variables" in network.to_html()
    with pytest.raises(ossature.DataError, match="a .json holds such a network"):
        network.to_bif()


def test_a_sample_has_floats_and_fits_again():
    network = clinic()
    rows = network.sample(5000, seed=1)
    frame = rows.to_pandas()
    assert frame["weight"].dtype == np.float64
    assert frame["sick"].cat.categories.tolist() == ["no", "yes"]
    assert rows.numbers("weight").tolist() == frame["weight"].tolist()
    assert rows.to_arrow().column("weight").to_pylist() == frame["weight"].tolist()
    assert rows.to_polars()["weight"].to_list() == frame["weight"].tolist()
    assert pickle.loads(pickle.dumps(rows)) == rows
    assert len(rows._repr_html_()) > 0 and rows.to_numpy().shape == (5000, 3)
    with pytest.raises(ossature.DataError, match="is continuous"):
        rows.codes("weight")
    fitted = ossature.Network.fit(rows, network.dag, iss=None)
    found = fitted.regression("weight")
    assert np.allclose(found.coefficients, [[0.9], [1.0]], atol=0.06)
    # By hand, with the residual degrees of freedom.
    well = frame[frame["sick"] == "no"]
    slope, intercept = np.polyfit(well["height"], well["weight"], 1)
    left = well["weight"] - slope * well["height"] - intercept
    assert np.isclose(found.coefficients[0, 0], slope, rtol=1e-9)
    assert np.isclose(found.intercept[0], intercept, rtol=1e-8)
    assert np.isclose(found.sd[0], np.sqrt((left**2).sum() / (len(well) - 2)), rtol=1e-9)
    assert ossature.Network.from_model(fitted.to_model()) == fitted


def test_the_likelihood_of_a_frame_is_that_of_its_table():
    network = clinic()
    rows = network.sample(50, seed=2)
    found = network.log_likelihood(rows)
    assert np.isfinite(found).all()
    assert network.log_likelihood(rows.to_pandas()).tolist() == found.tolist()
    assert network.log_likelihood(rows.to_arrow()).tolist() == found.tolist()
    assert network.log_likelihood(rows.to_polars()).tolist() == found.tolist()


def test_questions_are_about_discrete_nodes():
    network = clinic()
    assert network.query("sick")["sick"] == {"no": 0.75, "yes": 0.25}
    for ask in (lambda: network.query("weight"), lambda: network.query("sick", given={"weight": "70"})):
        with pytest.raises(ossature.OssatureError, match="is continuous"):
            ask()


def test_a_structure_with_continuous_nodes():
    asia = ossature.load_network("asia")
    drawn = asia.linear_gaussian(seed=1)
    assert set(drawn.kinds.values()) == {"continuous"} and drawn.dag == asia.dag
    assert drawn == asia.linear_gaussian(seed=1) != asia.linear_gaussian(seed=2)
    sizes = np.abs(drawn.regression("dysp").coefficients)
    assert ((sizes >= 0.5) & (sizes < 1.5)).all()


def numbers():
    x = [float((7 * i) % 60) for i in range(60)]
    return {"x": x, "z": ["low" if value < 13 else "high" for value in x], "y": [value * value for value in x]}


def test_cuts_look_at_other_columns():
    frame = numbers()
    told = ossature.discretise(frame, {"x": "mdl:z", "y": "mdl:z"})
    assert told.cuts == {"x": [12.5], "y": [156.5]}
    assert told.levels("x") == ["(-inf,12.5)", "[12.5,inf)"]
    kept = ossature.discretise(frame, {"x": "hartemink:3", "y": "hartemink:3"})
    assert {column: len(cuts) for column, cuts in kept.cuts.items()} == {"x": 2, "y": 2}
    assert set(kept.to_pandas().dtypes.astype(str)) == {"category"}
    backwards = {column: values[::-1] for column, values in reversed(list(frame.items()))}
    assert ossature.discretise(backwards, {"x": "hartemink:3", "y": "hartemink:3"}).cuts == kept.cuts
    # New rows are cut at the same places.
    new = {"x": [0.0, 30.0, 1e9], "z": ["low"] * 3, "y": [0.0, 1.0, 2.0]}
    again = ossature.discretise(new, kept.cuts)
    assert again.levels("x") == kept.levels("x")
    assert ossature.discretise(frame, kept.cuts) == kept
    network = ossature.Network.fit(told, [("z", "x")])
    assert network.predict({"x": [1.0, 50.0]}, "z").tolist() == ["low", "high"]


def test_cuts_of_frames_of_others():
    import pandas
    import polars
    import pyarrow

    expected = ossature.discretise(numbers(), {"x": "mdl:z"}).cuts
    for make in (pandas.DataFrame, polars.DataFrame, pyarrow.table):
        assert ossature.discretise(make(numbers()), {"x": "mdl:z"}).cuts == expected


def test_what_cannot_be_looked_at_is_said():
    with pytest.raises(ossature.OssatureError, match="there is no column \"zz\""):
        ossature.discretise(numbers(), {"x": "mdl:zz"})
    with pytest.raises(ossature.OssatureError, match="hartemink needs another column"):
        ossature.discretise({"x": [1.0, 2.0, 3.0]}, {"x": "hartemink:2"})


def test_one_interval_is_a_cut_table_too():
    frame = {"x": [float(i) for i in range(40)], "z": ["a", "b"] * 20}
    table = ossature.discretise(frame, {"x": "mdl:z"})
    assert table.cuts == {"x": []} and table.levels("x") == ["(-inf,inf)"]
    assert ossature.discretise(frame, table.cuts) == table

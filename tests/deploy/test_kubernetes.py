"""The manifests, with what each overlay makes of them: of the published shapes, closed, and read by Ray itself."""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonpatch
import jsonschema
import kubernetes_validate
import pytest
import ray
import yaml
from ray.autoscaler._private.kuberay.autoscaling_config import _derive_autoscaling_config_from_ray_cr as autoscaling
from ray.autoscaler._private.util import prepare_config

from cluster.tool import Lane
from tests.deploy.test_compose import lines_of_env
from tests.stack import ROOT

FOLDER = ROOT / "deploy" / "kubernetes"
OVERLAYS = ("onprem", "cloud")
VERSION = "1.34"
LANES = {str(lane) for lane in Lane}


def documents(path: Path) -> list[Any]:
    return [each for each in yaml.safe_load_all(path.read_text()) if each]


def resources(folder: Path) -> list[dict[str, Any]]:
    """What kustomize makes of `folder`, names and labels apart: its resources with its patches."""
    told = yaml.safe_load((folder / "kustomization.yaml").read_text())
    found: list[dict[str, Any]] = []
    for name in told["resources"]:
        found += resources(folder / name) if (folder / name).is_dir() else documents(folder / name)
    for patch in told.get("patches", []):
        (index,) = (number for number, each in enumerate(found) if is_target(each, patch["target"]))
        found[index] = jsonpatch.apply_patch(found[index], yaml.safe_load((folder / patch["path"]).read_text()))
    for each in told.get("replicas", []):
        (target,) = (r for r in found if is_target(r, {"kind": "Deployment", "name": each["name"]}))
        target["spec"]["replicas"] = each["count"]
    return found


def is_target(resource: dict[str, Any], target: dict[str, str]) -> bool:
    return (resource["kind"], resource["metadata"]["name"]) == (target["kind"], target["name"])


@pytest.fixture(scope="module", params=OVERLAYS)
def overlay(request):
    return request.param


@pytest.fixture(scope="module")
def found(overlay):
    return resources(FOLDER / overlay)


def ray_of(found: list[dict[str, Any]]) -> dict[str, Any]:
    (cluster,) = (each for each in found if each["kind"] == "RayCluster")
    return cluster


def templates(found: list[dict[str, Any]]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Name and template of all pods."""
    for each in found:
        if each["kind"] in ("Deployment", "StatefulSet"):
            yield each["metadata"]["name"], each["spec"]["template"]
    spec = ray_of(found)["spec"]
    yield "ray-head", spec["headGroupSpec"]["template"]
    for group in spec["workerGroupSpecs"]:
        yield f"ray-{group['groupName']}", group["template"]


def test_they_have_the_published_shapes(found):
    for each in found:
        if each["kind"] != "RayCluster":
            kubernetes_validate.validate(each, VERSION, strict=True)
    for name, template in templates(found):
        pod = {"apiVersion": "v1", "kind": "PodTemplate", "metadata": {"name": name}, "template": template}
        kubernetes_validate.validate(pod, VERSION, strict=True)


def test_the_ray_cluster_is_of_the_shape_that_kuberay_publishes(found):
    schema = yaml.safe_load((ROOT / "tests/deploy/schemas/raycluster.yaml").read_text())
    cluster = ray_of(found)
    assert cluster["apiVersion"] == "ray.io/v1"
    jsonschema.Draft202012Validator(schema).validate(cluster["spec"])
    # What it says of the autoscaler's container is Kubernetes' to judge.
    kinds = schema["properties"]["autoscalerOptions"]["properties"]
    told = cluster["spec"]["autoscalerOptions"]
    options = {name: told[name] for name, kind in kinds.items() if kind is True and name in told}
    pod = {"metadata": {}, "spec": {"containers": [{"name": "autoscaler", "image": "ray", **options}]}}
    kubernetes_validate.validate({"apiVersion": "v1", "kind": "Pod", **pod}, VERSION, strict=True)


def test_kustomize_makes_the_same_of_them(overlay, found, tmp_path):
    program = next((each for each in (["kustomize", "build"], ["kubectl", "kustomize"]) if shutil.which(each[0])), None)
    if program is None:
        pytest.skip("neither kustomize nor kubectl is installed")
    shutil.copytree(FOLDER, tmp_path / "kubernetes")
    folder = tmp_path / "kubernetes" / overlay
    subprocess.run([sys.executable, ROOT / "deploy/compose/make_secrets.py", folder / "secrets"], check=True)
    built = list(yaml.safe_load_all(subprocess.run([*program, folder], check=True, capture_output=True).stdout))
    made = {(each["kind"], each["metadata"]["name"]) for each in built if each["kind"] not in ("ConfigMap", "Secret")}
    assert made == {(each["kind"], each["metadata"]["name"]) for each in found}
    pods = {name: pod["spec"]["containers"][0].get("env") for name, pod in templates(built)}
    assert pods == {name: pod["spec"]["containers"][0].get("env") for name, pod in templates(found)}


def test_ray_reads_a_group_for_each_lane(found):
    cluster = ray_of(found)
    kinds = autoscaling({**cluster, "metadata": {**cluster["metadata"], "namespace": "papercrane"}})
    groups = {name: each for name, each in kinds["available_node_types"].items() if name in LANES}
    assert groups.keys() == LANES
    for lane, each in groups.items():
        assert each["resources"][lane] >= 1 and each["resources"]["elastic"] == 1
        assert LANES & each["resources"].keys() == {lane}
        assert each["max_workers"] > each["min_workers"] == 0
    head = kinds["available_node_types"][kinds["head_node_type"]]
    assert head["max_workers"] == 0 and not LANES & head["resources"].keys()
    assert cluster["metadata"]["annotations"]["ray.io/overwrite-container-cmd"] == "true"


def test_pods_are_closed(found):
    for name, template in templates(found):
        spec, (container,) = template["spec"], template["spec"]["containers"]
        own, all_of_it = container["securityContext"], spec["securityContext"]
        assert own["capabilities"] == {"drop": ["ALL"]} and not own["allowPrivilegeEscalation"], name
        assert own["readOnlyRootFilesystem"] and all_of_it["runAsNonRoot"], name
        assert spec["automountServiceAccountToken"] is (name == "ray-head"), name  # the autoscaler's, beside it
        sandboxed = name.startswith("ray-")
        assert (own.get("procMount") == "Unmasked") is sandboxed, name
        assert (spec.get("hostUsers") is False) is sandboxed, name  # without which no /proc is unmasked
        seccomp = "Localhost" if sandboxed else "RuntimeDefault"
        assert all_of_it["seccompProfile"]["type"] == seccomp, name
        assert container["resources"]["limits"]["memory"] and container["resources"]["requests"]["cpu"], name
        assert "readinessProbe" in container, name


def test_every_pod_has_a_policy_and_the_rest_is_closed(found):
    policies = [each["spec"] for each in found if each["kind"] == "NetworkPolicy"]
    assert any(each["podSelector"] == {} and set(each["policyTypes"]) == {"Ingress", "Egress"} for each in policies)
    named = {policy["podSelector"].get("matchLabels", {}).get("app") for policy in policies}
    assert {template["metadata"]["labels"]["app"] for _, template in templates(found)} <= named
    budgets = {
        each["spec"]["selector"]["matchLabels"]["app"] for each in found if each["kind"] == "PodDisruptionBudget"
    }
    assert budgets == {"api", "edge", "ray"}


def test_people_reach_the_edge_and_the_edge_the_api(found):
    """The Ingress has both kinds of hosts, holds nothing back; each service leads to a port of pods that are there."""
    services = {each["metadata"]["name"]: each["spec"] for each in found if each["kind"] == "Service"}
    (ingress,) = (each for each in found if each["kind"] == "Ingress")
    hosts = {each["host"] for each in ingress["spec"]["rules"]}
    assert hosts == set(ingress["spec"]["tls"][0]["hosts"]) == {"papercrane.example", "*.papercrane.example"}
    for rule in ingress["spec"]["rules"]:
        (path,) = rule["http"]["paths"]
        named = path["backend"]["service"]
        assert named["name"] == "edge" and named["port"]["name"] in {each["name"] for each in services["edge"]["ports"]}
    told = {name.rpartition("/")[2]: value for name, value in ingress["metadata"]["annotations"].items()}
    assert told["proxy-body-size"] == "0" and told["proxy-request-buffering"] == told["proxy-buffering"] == "off"
    pods = {
        template["metadata"]["labels"]["app"]: template["spec"]["containers"][0] for _, template in templates(found)
    }
    for service in services.values():
        opened = [each for port in pods[service["selector"]["app"]]["ports"] for each in port.values()]
        assert {port.get("targetPort", port["port"]) for port in service["ports"]} <= set(opened)
    assert "--api=api:{}".format(services["api"]["ports"][0]["port"]) in pods["edge"]["args"]


def test_bytes_are_kept_in_a_shared_folder_or_a_store(overlay, found):
    claims = {each["metadata"]["name"]: each["spec"] for each in found if each["kind"] == "PersistentVolumeClaim"}
    volumes = [template["spec"]["volumes"][0] for name, template in templates(found) if name.startswith(("api", "ray"))]
    s3 = "PAPERCRANE_STORE=s3" in (FOLDER / overlay / "settings.env").read_text().splitlines()
    assert s3 is (overlay == "cloud") and len(volumes) == 2 + len(LANES)
    for each in volumes:
        assert each["name"] == "data" and ("emptyDir" in each) is s3
        assert s3 or claims[each["persistentVolumeClaim"]["claimName"]]["accessModes"] == ["ReadWriteMany"]


def test_the_operator_is_told_the_ray_that_is_installed(found):
    spec = ray_of(found)["spec"]
    assert (spec["rayVersion"], spec["enableInTreeAutoscaling"]) == (ray.__version__, True)


def test_workers_are_drained_before_they_go(found):
    for group in ray_of(found)["spec"]["workerGroupSpecs"]:
        spec = group["template"]["spec"]
        (command,) = [spec["containers"][0]["lifecycle"]["preStop"]["exec"]["command"]]
        assert "cluster.worker.drain" in command[-1]
        assert spec["terminationGracePeriodSeconds"] > 600  # what draining waits for


def test_settings_and_secrets_are_known(overlay, found):
    told = yaml.safe_load((FOLDER / overlay / "kustomization.yaml").read_text())
    known = lines_of_env().keys()
    used = re.findall(r"^([A-Z0-9_]+)=", (FOLDER / overlay / "settings.env").read_text(), re.MULTILINE)
    secrets = {Path(each).name for each in told["secretGenerator"][0]["files"]}
    for name, template in templates(found):
        for each in template["spec"]["containers"][0].get("env", []):
            used += [each["name"]] if each["name"].startswith("PAPERCRANE_") else []
            if str(each.get("value", "")).startswith("/run/secrets/papercrane/"):
                assert Path(each["value"]).name in secrets, (name, each)
    assert {each.removesuffix("_FILE") for each in used} <= known


@pytest.mark.parametrize("file", ["onprem.yaml", "aws.yaml"])
def test_the_cluster_launcher_takes_its_files(file):
    """`prepare_config` holds them against the schema that Ray publishes."""
    told = yaml.safe_load((ROOT / "deploy" / "ray" / file).read_text())
    kinds = prepare_config(told)["available_node_types"]
    text = " ".join([*told["head_start_ray_commands"], *told["worker_start_ray_commands"]])
    assert "deploy.up keep" in text
    if file == "aws.yaml":
        assert {lane for each in kinds.values() for lane in each["resources"]} == LANES | {"elastic"}
        assert {name for name, each in kinds.items() if "elastic" not in each["resources"]} == {"head"}
    needed = {"--cap-drop ALL", "no-new-privileges:true", "systempaths=unconfined", "--read-only"}
    assert all(each in " ".join(told["docker"]["run_options"]) for each in needed)

"""MiniStack with what it lacks for this service: each patch names the gap and says what the emulation then does.

The product is deployed as it is; only the emulator is patched. Every patch checks what it replaces, so that another
version of MiniStack stops here and not in a test. `python server.py --gaps` prints the list.
"""

import asyncio
import contextvars
import json
import sys
import threading
import uuid
from concurrent.futures import FIRST_COMPLETED, Future, wait

from ministack import app
from ministack.core import lambda_runtime, router
from ministack.core.responses import json_response
from ministack.services import apigateway_v1, cloudwatch, lambda_svc, waf
from ministack.services import cloudformation
from ministack.services.cloudformation import changesets, handlers, provisioners, stacks

PATCHED = []
NOT_EMULATED = [
    "IAM: rights are created and not enforced",
    "CloudWatch: alarms are created and not evaluated; EMF log lines become no metrics",
    "WAF: the rate rule is created and refuses nothing",
    "CloudFront: the distribution is created and serves nothing",
    "S3: a bucket is emptied by its stack's deletion or not at all, and access logs are not written",
    "API Gateway: keys are not imported from CSV (ImportApiKeys)",
    "API Gateway: GetUsagePlans shows a plan's tags of its creation, and none that TagResource adds later",
    "API Gateway: wrong percent-encodings and double slashes are not those of AWS",
]


def patch(gap):
    """Applies the decorated function at once and lists its gap."""

    def apply(function):
        function()
        PATCHED.append(gap)
        return function

    return apply


@patch("CloudFormation refuses alarms on metric math: they are created on their first metric, without actions")
def metric_math_alarms():
    original = provisioners._cw_metric_alarm_record

    def record(name, props):
        queries = props.get("Metrics")
        if not queries:
            return original(name, props)
        stat = next(query["MetricStat"] for query in queries if "MetricStat" in query)
        rest = {key: value for key, value in props.items() if key != "Metrics"}
        return original(
            name,
            {
                **rest,
                "MetricName": stat["Metric"]["MetricName"],
                "Namespace": stat["Metric"]["Namespace"],
                "Dimensions": stat["Metric"].get("Dimensions", []),
                "Period": stat["Period"],
                "ActionsEnabled": False,
            },
        )

    provisioners._cw_metric_alarm_record = record


@patch("CloudFormation lacks AWS::CloudWatch::CompositeAlarm: made by the emulator's own PutCompositeAlarm")
def composite_alarms():
    def put(name, props):
        request = {key: value for key, value in props.items() if key != "Tags"}
        status, _, body = cloudwatch._put_composite_alarm({}, {**request, "AlarmName": name}, False, is_json=True)
        if status != 200:
            raise ValueError(f"AWS::CloudWatch::CompositeAlarm: {body!r}")
        return name, {"Arn": cloudwatch._composite_alarms[name]["AlarmArn"]}

    provisioners._RESOURCE_HANDLERS["AWS::CloudWatch::CompositeAlarm"] = {
        "create": lambda logical_id, props, stack: put(
            props.get("AlarmName") or provisioners._physical_name(stack, logical_id, max_len=255), props
        ),
        "update": lambda physical_id, _old, props, _stack: put(physical_id, props),
        "delete": lambda physical_id, _props: cloudwatch._composite_alarms.pop(physical_id, None),
    }


@patch("CloudFormation lacks AWS::WAFv2::WebACLAssociation: made by the emulator's own AssociateWebACL")
def firewall_association():
    def associate(logical_id, props, stack):
        status, _, body = waf._associate_web_acl(props)
        if status != 200:
            raise ValueError(f"AWS::WAFv2::WebACLAssociation: {body!r}")
        return f"{props['WebACLArn']}|{props['ResourceArn']}", {}

    provisioners._RESOURCE_HANDLERS["AWS::WAFv2::WebACLAssociation"] = {
        "create": associate,
        "delete": lambda _physical_id, props: waf._disassociate_web_acl(props),
    }


@patch("Lambda finds a Node.js handler in .js and .mjs files only: .cjs is added, as AWS finds it")
def cjs_handlers():
    before = 'const mjsPath = fullPath + ".mjs";'
    after = 'const mjsPath = fs.existsSync(fullPath + ".cjs") ? fullPath + ".cjs" : fullPath + ".mjs";'
    if before not in lambda_runtime._NODEJS_WORKER_SCRIPT:
        raise RuntimeError("the Node.js worker of this MiniStack is another one")
    lambda_runtime._NODEJS_WORKER_SCRIPT = lambda_runtime._NODEJS_WORKER_SCRIPT.replace(before, after)


# Limit of a new account, and the share of it that callers of the stage have while aliases are checked. At other times there is no
# limit: a burst of a test would reach it.
CONCURRENCY = 10
IN_USE = 5


@patch(
    "CodeDeploy is lacking: an alias moves to another version once the hook of its update policy has reported a success. "
    f"Hooks of aliases that do not depend on one another run at once, with a concurrency of {CONCURRENCY}, {IN_USE} of it in use"
)
def checked_aliases():
    def named(property_name):
        return {
            "create": lambda _logical_id, props, _stack: (props[property_name], {}),
            "update": lambda physical_id, _old, _props, _stack: (physical_id, {}),
            "delete": lambda _physical_id, _props: None,
        }

    provisioners._RESOURCE_HANDLERS["AWS::CodeDeploy::Application"] = named("ApplicationName")
    provisioners._RESOURCE_HANDLERS["AWS::CodeDeploy::DeploymentGroup"] = named("DeploymentGroupName")
    deployments = {}

    async def codedeploy(_method, _path, headers, body, _query):
        asked = json.loads(body)
        deployment = deployments[asked["deploymentId"]]
        if headers["x-amz-target"].endswith(".GetDeployment"):
            return json_response({"deploymentInfo": {"deploymentGroupName": deployment["group"]}})
        deployment["status"] = asked["status"]
        deployment["reported"].set()
        return json_response({"lifecycleEventHookExecutionId": asked["lifecycleEventHookExecutionId"]})

    app.SERVICE_HANDLERS["codedeploy"] = codedeploy
    router.SERVICE_PATTERNS["codedeploy"] = {"target_prefixes": ["CodeDeploy_20141006"], "credential_scope": "codedeploy"}

    def check(stack, policy):
        def physical_id(reference):
            return stack["_resources"][reference["Ref"]]["PhysicalResourceId"]

        deployment_id = f"d-{uuid.uuid4()}"
        deployment = {"group": physical_id(policy["DeploymentGroupName"]), "reported": threading.Event()}
        deployments[deployment_id] = deployment
        function, config, name = lambda_svc._get_func_record_for_ref(physical_id(policy["BeforeAllowTrafficHook"]))
        event = {"DeploymentId": deployment_id, "LifecycleEventHookExecutionId": str(uuid.uuid4())}
        record = lambda_svc._execution_record_for_config(function, config)
        result = lambda_svc._execute_function_with_config_scope(record, event)
        if result.get("error"):
            raise ValueError(f"{name} fails for {deployment['group']}: {json.dumps(result['body'])}")
        if not deployment["reported"].wait(60) or deployment["status"] != "Succeeded":
            raise ValueError(f"{name} reports for {deployment['group']}: {deployment.get('status')}")

    def policy_of(resource):
        """The update policy of an alias whose versions are checked; without a hook CodeDeploy moves it at once."""
        policy = resource.get("UpdatePolicy", {}).get("CodeDeployLambdaAliasUpdate", {})
        return policy if "BeforeAllowTrafficHook" in policy else None

    def moves(stack, logical_id, resource):
        """Whether the alias exists and gets another version; versions are provisioned before any alias is updated."""
        alias = stack["_resources"].get(logical_id)
        if alias is None or not policy_of(resource):
            return False
        version, _ = resource["Properties"]["FunctionVersion"]["Fn::GetAtt"]
        return alias["Properties"]["FunctionVersion"] != stack["_resources"][version]["Attributes"]["Version"]

    # The resources and the checks of the operation on a stack that this code runs in.
    operation = contextvars.ContextVar("operation")
    sort = stacks._topological_sort

    def begin(resources, conditions):
        operation.set({"resources": resources, "checks": {}})
        return sort(resources, conditions)

    stacks._topological_sort = begin
    running = []
    unlimited = lambda_svc._ACCOUNT_CONCURRENCY_CAP

    def await_all():
        for thread in running:
            thread.join()
        running.clear()

    def start_checks(stack):
        """Starts the check of each alias that moves as soon as the aliases that it depends on are checked."""
        await_all()
        resources, checks = operation.get()["resources"], operation.get()["checks"]
        checks.update((id, Future()) for id, resource in resources.items() if moves(stack, id, resource))
        lambda_svc._ACCOUNT_CONCURRENCY_CAP = CONCURRENCY - IN_USE

        def run(id):
            resource = resources[id]
            try:
                for other in checks.keys() & set(resource.get("DependsOn", [])):
                    checks[other].result()
                checks[id].set_result(check(stack, policy_of(resource)))
            except Exception as error:
                checks[id].set_exception(error)

        def end():
            wait(checks.values())
            lambda_svc._ACCOUNT_CONCURRENCY_CAP = unlimited

        def start(*work):
            thread = threading.Thread(target=contextvars.copy_context().run, args=work, daemon=True)
            running.append(thread)
            thread.start()

        for id in list(checks):
            start(run, id)
        start(end)

    def await_check(logical_id):
        """Raises the first failure of any check, which fails the stack before the others have ended."""
        checks = operation.get()["checks"]
        pending = set(checks.values())
        while not checks[logical_id].done():
            done, pending = wait(pending, return_when=FIRST_COMPLETED)
            for ended in done:
                ended.result()
        checks[logical_id].result()

    alias = provisioners._RESOURCE_HANDLERS["AWS::Lambda::Alias"]
    move = alias["update"]

    def checked(physical_id, old, new, stack_name, logical_id=None):
        stack = cloudformation._stacks[stack_name]
        policy = policy_of(operation.get()["resources"].get(logical_id, {}))
        if policy and old["FunctionVersion"] != new["FunctionVersion"]:
            if "ROLLBACK" in stack["StackStatus"]:
                await_all()
                check(stack, policy)
            else:
                if logical_id not in operation.get()["checks"]:
                    start_checks(stack)
                await_check(logical_id)
        return move(physical_id, old, new, stack_name, logical_id)

    alias["update"] = checked
    blocks = stacks._runs_on_worker_thread
    stacks._runs_on_worker_thread = lambda kind: kind == "AWS::Lambda::Alias" or blocks(kind)


@patch("API Gateway names no domain to a function, and a path that the emulator does not serve: those of the request, as AWS names its own")
def request_addresses():
    build = apigateway_v1._build_lambda_event_v1

    def event_of(api_id, stage_name, stage, resource, request_path, method, headers, *arguments, **named):
        event = build(api_id, stage_name, stage, resource, request_path, method, headers, *arguments, **named)
        event["requestContext"]["domainName"] = headers["host"]
        event["requestContext"]["path"] = f"/restapis/{api_id}/{stage_name}/_user_request_{request_path}"
        return event

    apigateway_v1._build_lambda_event_v1 = event_of


@patch("API Gateway waits for a function that stalls, and lets out the error of one that fails: by gateway responses, as AWS answers")
def failed_functions():
    invoke = apigateway_v1._invoke_lambda_proxy_v1
    shape = apigateway_v1._lambda_proxy_response

    class FunctionFailed(Exception):
        pass

    def shaped(result):
        response, error = shape(result)
        if error or result.get("throttle"):
            raise FunctionFailed
        return response, None

    async def invoke_in_time(integration, *arguments, **named):
        invocation = asyncio.ensure_future(invoke(integration, *arguments, **named))
        done, _ = await asyncio.wait({invocation}, timeout=integration.get("timeoutInMillis", 29_000) / 1000)
        if not done:
            return apigateway_v1._gw_error("INTEGRATION_TIMEOUT", "Endpoint request timed out")
        try:
            return invocation.result()
        except FunctionFailed:
            return apigateway_v1._gw_error("INTEGRATION_FAILURE", "Internal server error")

    apigateway_v1._lambda_proxy_response = shaped
    apigateway_v1._invoke_lambda_proxy_v1 = invoke_in_time


USAGE_KEY = "usageIdentifierKey"
authorized = contextvars.ContextVar("authorized", default=None)


@patch("API Gateway ignores usageIdentifierKey: it becomes the request's API key, as with apiKeySource AUTHORIZER")
def keys_by_authorizer():
    invoke = apigateway_v1._invoke_authorizer_lambda
    authorize = apigateway_v1._authorize_request_v1

    async def invoke_with_key(*arguments):
        result = await invoke(*arguments)
        body = result.get("body") if result else None
        if isinstance(body, dict) and USAGE_KEY in body:
            # The emulator caches the context alone, so the key travels in it.
            body["context"] = {**(body.get("context") or {}), USAGE_KEY: body[USAGE_KEY]}
        return result

    async def authorize_with_key(*arguments):
        authorized.set(None)
        error, context = await authorize(*arguments)
        authorized.set(context)
        return error, context and {name: value for name, value in context.items() if name != USAGE_KEY}

    apigateway_v1._invoke_authorizer_lambda = invoke_with_key
    apigateway_v1._authorize_request_v1 = authorize_with_key
    apigateway_v1._api_key_from_request = lambda _headers: (authorized.get() or {}).get(USAGE_KEY)


@patch("Gateway responses leave out headers from context.authorizer.*: they are filled from the authorizer's context")
def authorizer_headers():
    original = apigateway_v1._gateway_request_value
    prefix = "context.authorizer."

    def value(source, request):
        if source.startswith(prefix):
            return (authorized.get() or {}).get(source[len(prefix) :])
        return original(source, request)

    apigateway_v1._gateway_request_value = value


@patch("UpdateApiKey and UpdateUsagePlan store every value as text: switches and figures get their types, as AWS has them")
def typed_patches():
    original = apigateway_v1._apply_patch
    types = {
        "/enabled": lambda text: text == "true",
        "/throttle/rateLimit": float,
        "/throttle/burstLimit": int,
        "/quota/limit": int,
    }

    def typed(operation):
        read = types.get(operation.get("path"))
        value = operation.get("value")
        return {**operation, "value": read(value)} if read and isinstance(value, str) else operation

    apigateway_v1._apply_patch = lambda target, operations: original(target, [typed(one) for one in operations])


@patch("DeleteApiKey leaves the key on its usage plans: taken off them, as by AWS")
def deleted_keys():
    original = apigateway_v1._delete_api_key

    def delete(key_id):
        for keys in apigateway_v1._usage_plan_keys.values():
            keys.pop(key_id, None)
        return original(key_id)

    apigateway_v1._delete_api_key = delete


@patch("CloudFormation imports no usage plan: adopted by its id, as AWS does")
def usage_plan_import():
    kind = "AWS::ApiGateway::UsagePlan"
    if "import" in provisioners._RESOURCE_HANDLERS[kind]:
        raise RuntimeError("this MiniStack imports usage plans")

    def problem(plan_id):
        return None if plan_id in apigateway_v1._usage_plans else f"Invalid Usage Plan ID specified: {plan_id}"

    provisioners._RESOURCE_HANDLERS[kind]["import"] = lambda identifier: (identifier["Id"], {"Id": identifier["Id"]})
    changesets._IMPORT_LOOKUPS[kind] = (("Id",), problem)


@patch("CloudFormation forgets what a deletion left: listed for the deleted stack, as by AWS for 90 days")
def left_resources():
    original = handlers._list_stack_resources

    def listed(params):
        stack = handlers._resolve_stack(handlers._p(params, "StackName"))
        if stack and stack["StackStatus"] == "DELETE_COMPLETE":
            events = cloudformation._stack_events.get(stack["StackId"], [])
            stack["_resources"] = {event["LogicalResourceId"]: event for event in events}
        return original(params)

    handlers._ACTION_HANDLERS["ListStackResources"] = listed


@patch("API Gateway deletes a deployment that a stage uses: refused, as by AWS")
def used_deployments():
    original = provisioners._RESOURCE_HANDLERS["AWS::ApiGateway::Deployment"]["delete"]

    def delete(physical_id, props):
        stages = apigateway_v1._stages_v1.get(props.get("RestApiId", ""), {})
        if any(stage.get("deploymentId") == physical_id for stage in stages.values()):
            raise ValueError("Active stages pointing to this deployment must be moved or deleted")
        return original(physical_id, props)

    provisioners._RESOURCE_HANDLERS["AWS::ApiGateway::Deployment"]["delete"] = delete


if "--gaps" in sys.argv:
    for gap in PATCHED:
        print(f"patched: {gap}")
    for gap in NOT_EMULATED:
        print(f"not emulated: {gap}")
else:
    app.main()

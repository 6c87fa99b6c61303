"""A FastAPI back end on its first day: it stores preferences and lists notifications, and does not know every rule yet."""

from datetime import datetime, timezone

from fastapi import FastAPI, Header, HTTPException, Query, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict

CHANNELS = ["email", "sms", "in_app", "chat", "push"]
WORKFLOW = {"slug": "welcome", "identifier": "welcome", "name": "Welcome", "updatedAt": "2026-11-02T09:00:00.000Z"}

app = FastAPI()
preferences = {subscriber: {"global": {}, "welcome": {}} for subscriber in ("ada", "grace")}


class Channels(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    email: bool | None = None
    sms: bool | None = None
    in_app: bool | None = None
    chat: bool | None = None
    push: bool | None = None


class Update(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    channels: Channels
    workflowId: str | None = None


def error(request: Request, status: int, message: str, errors: dict | None = None) -> JSONResponse:
    path = request.url.path + (f"?{request.url.query}" if request.url.query else "")
    body = {"statusCode": status, "timestamp": now(), "path": path, "message": message, "ctx": {}}
    headers = {"WWW-Authenticate": "ApiKey"} if status == 401 else None
    return JSONResponse(body | ({"errors": errors} if errors else {}), status, headers)


def now() -> str:
    return datetime.now(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


@app.exception_handler(HTTPException)
def on_error(request: Request, exception: HTTPException) -> JSONResponse:
    return error(request, exception.status_code, exception.detail)


@app.exception_handler(RequestValidationError)
def on_invalid(request: Request, exception: RequestValidationError) -> JSONResponse:
    errors = {".".join(map(str, one["loc"])): {"messages": [one["msg"]]} for one in exception.errors()}
    return error(request, 422, "The request is invalid.", errors)


def authenticate(authorization: str) -> None:
    if authorization != "ApiKey team-key":
        raise HTTPException(401, "API Key not found")


@app.patch("/v2/subscribers/{subscriber}/preferences")
def update_preferences(subscriber: str, update: Update, authorization: str = Header("")) -> dict:
    authenticate(authorization)
    if subscriber not in preferences:
        raise HTTPException(404, f"Subscriber with id: {subscriber} is not found")
    if update.workflowId not in (None, "welcome"):
        raise HTTPException(404, f"Workflow with id: {update.workflowId} is not found")
    own = preferences[subscriber]
    own[update.workflowId or "global"].update(update.channels.model_dump(exclude_none=True))
    every = dict.fromkeys(CHANNELS, True) | own["global"]
    steps = {"email": every["email"], "in_app": every["in_app"]} | own["welcome"]
    workflow = {"enabled": True, "channels": steps, "overrides": [], "workflow": WORKFLOW}
    return {"global": {"enabled": True, "channels": every}, "workflows": [workflow]}


@app.get("/v1/notifications")
def list_notifications(
    page: int = Query(0, ge=0), limit: int = Query(10, ge=1, le=50), authorization: str = Header("")
) -> dict:
    authenticate(authorization)
    return {"page": page, "pageSize": limit, "hasMore": False, "data": []}
